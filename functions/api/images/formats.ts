/** Pixels per side, from the specification's table, the largest first. */
export const SHARED = { t500x500: 500, crop: 400, t300x300: 300, large: 100, badge: 47, small: 32, mini: 16 };

/** Podcast directories refuse pictures below 1,400 pixels: https://podcasters.apple.com/support/896 */
const FOR_FEEDS = { t1400x1400: 1_400 };

export const FORMATS = {
  artwork: { ...SHARED, ...FOR_FEEDS, t67x67: 67, tiny: 20 },
  avatar: { ...SHARED, ...FOR_FEEDS, tiny: 18 },
} as const;

export type ImageKind = keyof typeof FORMATS;
