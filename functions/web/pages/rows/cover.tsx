import { type Covered, colorsIn, drawnCover } from "../../embed/covers.ts";
import { inFormat } from "../../embed/representation.ts";

/** Formats by pixels of a side. */
const JPEG = { badge: 47, large: 100, t300x300: 300, t500x500: 500 };
const WEBP = { t640x640: 640, t1000x1000: 1_000 };

/** Class, CSS pixels of a side, and the room by which browsers choose a file. Pictures are always squares. */
const SIZES = {
  row: { name: "row-picture", side: 40, sizes: "40px", most: 300 },
  card: { name: "tile-picture", side: 180, sizes: "180px", most: 640 },
  lead: { name: "record-cover", side: 320, sizes: "(max-width: 34rem) 100vw, 320px", most: 1_000 },
} as const;

interface CoverProps {
  of: Covered;
  size: keyof typeof SIZES;
}

/** The picture of a track or a set: its artwork, or a drawing. */
export const Cover = ({ of, size }: CoverProps) => {
  const { name, side, sizes, most } = SIZES[size];
  const shown = of.artwork_url
    ? { src: inFormat(of.artwork_url, "t300x300"), srcset: srcsetOf(of.artwork_url, most), sizes }
    : { src: drawnCover(of) };
  const order = size === "lead" ? { fetchpriority: "high" as const } : { loading: "lazy" as const };
  return <img class={name} {...shown} width={side} height={side} alt="" {...order} />;
};

/** Files of a stored picture up to a size. Artwork that names its colours has WebPs, too. */
export function srcsetOf(picture: string, most: number): string {
  const jpegs = Object.entries(JPEG).map(([format, side]) => ({ url: inFormat(picture, format), side }));
  const webps = Object.entries(WEBP).map(([format, side]) => ({
    url: inFormat(picture, format).replace(/jpg$/, "webp"),
    side,
  }));
  return [...jpegs, ...(colorsIn(picture) ? webps : [])]
    .filter(({ side }) => side <= most)
    .map(({ url, side }) => `${url} ${side}w`)
    .join(", ");
}
