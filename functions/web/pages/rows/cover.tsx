import { type Covered, drawnCover } from "../../embed/covers.ts";
import { inFormat } from "../../embed/representation.ts";

/** Class, CSS pixels of a side, and the room by which browsers choose a file. Pictures are always squares. */
const SIZES = {
  row: { name: "row-picture", side: 40, sizes: "40px" },
  card: { name: "tile-picture", side: 180, sizes: "180px" },
  lead: { name: "record-cover", side: 320, sizes: "(max-width: 34rem) 100vw, 320px" },
} as const;

/** Stored pictures by pixels of a side. */
const FORMATS = { badge: 47, large: 100, t300x300: 300, t500x500: 500 };

interface CoverProps {
  of: Covered;
  size: keyof typeof SIZES;
}

/** The picture of a track or a set: its artwork, or a drawing. */
export const Cover = ({ of, size }: CoverProps) => {
  const { name, side, sizes } = SIZES[size];
  const shown = of.artwork_url
    ? { src: inFormat(of.artwork_url, "t300x300"), srcset: srcsetOf(of.artwork_url), sizes }
    : { src: drawnCover(of) };
  const order = size === "lead" ? { fetchpriority: "high" as const } : { loading: "lazy" as const };
  return <img class={name} {...shown} width={side} height={side} alt="" {...order} />;
};

/** Every stored picture has these formats. */
export const srcsetOf = (picture: string): string =>
  Object.entries(FORMATS)
    .map(([format, pixels]) => `${inFormat(picture, format)} ${pixels}w`)
    .join(", ");
