import type { PlaylistPage, PlaylistRow } from "../../db/queries/playlists.ts";
import type { Env } from "../http/env.ts";
import { TaggedText } from "../http/etag.ts";
import { type CachedTracks, reference, type TrackTexts } from "../tracks/list-cache.ts";
import { representPlaylist } from "./representation.ts";

/** Returns the page's playlists as JSON. Their tracks mostly come from the cache. */
export function renderPlaylists(env: Env, page: PlaylistPage, cached: CachedTracks): TaggedText[] {
  const tracks = page.tracks && cached.render(env, page.tracks);
  return page.playlists.map((playlist) => {
    const text = JSON.stringify(representPlaylist(env, playlist));
    const texts = textsOf(playlist, tracks);
    const json = texts ? `${text.slice(0, -1)},"tracks":[${texts.join()}]}` : text;
    // A page of several playlists needs no tags.
    return new TaggedText(json, playlist.updated_at, tracks ? () => text + tracks.digest() : undefined);
  });
}

/** Picks a playlist's own tracks. A page of one playlist names none, because all are its own. */
function textsOf({ track_ids }: PlaylistRow, tracks: TrackTexts | null): string[] | undefined {
  if (track_ids) return track_ids.map((id) => tracks?.byId.get(id) ?? reference(id));
  return tracks ? [...tracks.byId.values(), ...tracks.rest.map(reference)] : undefined;
}
