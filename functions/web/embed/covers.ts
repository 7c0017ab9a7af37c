import type { Playlist } from "../../api/playlists/representation.ts";
import type { Track } from "../../api/tracks/representation.ts";

/** A track or a set, as the API represents it. */
export type Covered =
  | Pick<Track, "kind" | "id" | "uri" | "artwork_url" | "waveform_url">
  | Pick<Playlist, "kind" | "id" | "uri" | "artwork_url">;

/** The address of a drawing for what has no artwork: from the track's own sound, or else a pattern of the id. */
export function drawnCover(of: Covered): string {
  if (of.kind === "track" && of.waveform_url) return of.waveform_url.replace(/waveform\.png$/, "cover.svg");
  const api = of.uri.slice(0, of.uri.lastIndexOf(`/${of.kind}s/`));
  return `${api}/images/pattern-${of.id}.svg`;
}
