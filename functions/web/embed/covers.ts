import type { Playlist } from "../../api/playlists/representation.ts";
import type { Track } from "../../api/tracks/representation.ts";
import { coverClasses } from "../../lib/pictures/cover-classes.ts";

/** A track or a set, as the API represents it. */
export type Covered =
  | (Pick<Track, "kind" | "id" | "uri" | "artwork_url" | "waveform_url"> & Partial<Pick<Track, "access">>)
  | Pick<Playlist, "kind" | "id" | "uri" | "artwork_url">;

/** The address of a drawing for what has no artwork, as SVG: from the track's own sound, or else a pattern of the id. */
export const drawnCover = (of: Covered): string => soundOf(of, "cover.svg") ?? `${patternOf(of)}.svg`;

/** The artwork, or the drawing as a PNG, for programs that show no SVG. `inFormat` makes other sizes of either. */
export const pictureOf = (of: Covered): string =>
  of.artwork_url ?? soundOf(of, "cover/large.png") ?? `${patternOf(of)}-large.png`;

/** The drawing is open to whoever may see the waveform. A track that does not play for its reader has none. */
const soundOf = (of: Covered, file: string): string | undefined =>
  of.kind === "track" && of.access !== "blocked"
    ? of.waveform_url?.replace(/waveform\.png$/, file)
    : undefined;

const patternOf = ({ kind, id, uri }: Covered): string =>
  `${uri.slice(0, uri.lastIndexOf(`/${kind}s/`))}/images/pattern-${id}`;

/** The colours that the artwork's address names. Artwork of earlier releases has none, nor WebP formats. */
export const colorsIn = (artwork: string | null): string | undefined =>
  /-([0-9a-f]{18})-large\.jpg$/.exec(artwork ?? "")?.[1];

/**
 * Classes for the element that is to have a picture's colours: `--cover-ground` and `--played`. Artwork of earlier
 * releases gives none.
 */
export const coverColors = ({ id, artwork_url }: Covered): string => {
  const colors = colorsIn(artwork_url);
  return artwork_url !== null && colors === undefined ? "" : coverClasses(id, colors);
};
