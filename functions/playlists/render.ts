import type { PlaylistPage, PlaylistRow } from "../../db/queries/playlists.ts";
import type { Env } from "../http/env.ts";
import { TaggedText } from "../http/etag.ts";
import { unseal } from "../security/sealing.ts";
import type { CachedTracks } from "../tracks/list-cache.ts";
import { reference, TrackPageText } from "../tracks/page-cache.ts";
import { representPlaylist } from "./representation.ts";

/** Returns the page's playlists as JSON. Their tracks mostly come from the cache. */
export function renderPlaylists(env: Env, page: PlaylistPage, cached: CachedTracks): TaggedText[] {
  const tracks = page.tracks && cached.render(env, page.tracks);
  const byId = page.playlists.some(({ track_ids }) => track_ids) && tracks ? tracks.byId() : undefined;
  const trackText = (id: number) => byId?.get(id) ?? reference(id);
  return page.playlists.map((playlist) => {
    const { track_ids } = playlist;
    const shown = track_ids ? new TrackPageText(undefined, track_ids, track_ids.map(trackText)) : tracks;
    return withTracks(env, playlist, shown);
  });
}

function withTracks(env: Env, playlist: PlaylistRow, tracks: TrackPageText | null): TaggedText {
  const text = JSON.stringify(
    representPlaylist(playlist, {
      links: env,
      unseal: (sealed) => unseal(env, Buffer.from(sealed, "base64")),
    }),
  );
  if (!tracks) return new TaggedText(text, playlist.updated_at);
  const json = `${text.slice(0, -1)},"tracks":[${tracks.whole}]}`;
  return new TaggedText(json, playlist.updated_at, () => `${text} ${tracks.digest}`);
}
