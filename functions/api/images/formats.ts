import { COMMON } from "../../lib/pictures/formats.ts";

export const FORMATS = {
  artwork: { ...COMMON, t67x67: 67, tiny: 20 },
  avatar: { ...COMMON, tiny: 18 },
  /** The large one is for lists, the other for podcast programs. */
  chapter: { t1000x1000: 1_000, large: 100 },
} as const;

/** Pixels per side, as WebP, for large screens. Rendered for artwork beside the JPEGs. */
export const WEBP_FORMATS = { t640x640: 640, t1000x1000: 1_000 };

export type ImageKind = keyof typeof FORMATS;
