/** Pixels per side, from the specification's table, the largest first. */
export const SHARED = { t500x500: 500, crop: 400, t300x300: 300, large: 100, badge: 47, small: 32, mini: 16 };

/** Podcast directories refuse pictures below 1,400 pixels: https://podcasters.apple.com/support/896 */
const FOR_FEEDS = { t1400x1400: 1_400 };

/** Formats that every picture has, drawn ones included. */
export const COMMON = { ...SHARED, ...FOR_FEEDS };

/** Pixels per side of a format. `undefined` if drawings have no such format. */
export const sideOf = (format: string): number | undefined =>
  Object.entries(COMMON).find(([name]) => name === format)?.[1];
