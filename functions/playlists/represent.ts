import type { PlaylistPage, PlaylistRow } from "../../db/queries/playlists.ts";
import type { Env } from "../http/env.ts";
import { unseal } from "../http/sealing.ts";
import type { HeldTracks } from "../tracks/listed.ts";
import { representPlaylist } from "./representation.ts";

/** Each playlist of a page as JSON. Their tracks are JSON before, most of them made long ago. */
export function playlistTexts(env: Env, page: PlaylistPage, held: HeldTracks): string[] {
  const tracks = new Map<number, string>();
  if (page.tracks) {
    const texts = held.render(env, page.tracks);
    page.tracks.ids?.forEach((id, at) => {
      tracks.set(id, texts[at] ?? "");
    });
  }
  const trackText = (id: number) => (page.tracks ? (tracks.get(id) ?? "") : `{"id":${id}}`);
  return page.playlists.map((playlist) => withTracks(env, playlist, playlist.track_ids?.map(trackText)));
}

function withTracks(env: Env, playlist: PlaylistRow, tracks: string[] | undefined): string {
  const text = JSON.stringify(
    representPlaylist(playlist, {
      links: env,
      unseal: (sealed) => unseal(env, Buffer.from(sealed, "base64")),
    }),
  );
  return tracks ? `${text.slice(0, -1)},"tracks":[${tracks.join(",")}]}` : text;
}
