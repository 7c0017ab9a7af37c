/** Pixels per side, from the specification's table. */
const SHARED = { t500x500: 500, crop: 400, t300x300: 300, large: 100, badge: 47, small: 32, mini: 16 };

export const FORMATS = {
  artwork: { ...SHARED, t67x67: 67, tiny: 20 },
  avatar: { ...SHARED, tiny: 18 },
} as const;

export type ImageKind = keyof typeof FORMATS;
