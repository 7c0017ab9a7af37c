import { integerText } from "./fields.ts";
import { sizeInWords } from "./size.ts";

/** A limit as operators type it: at most more than any library, and exact in JSON. */
export const LimitText = integerText(0, 999_999_999_999_999);

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** `3.5 hours`, `90 minutes`, `50 seconds`. */
export function lengthInWords(seconds: number): string {
  if (seconds < 120) return counted(seconds, "second");
  if (seconds < 2 * 3600) return counted(Math.floor(seconds / 60), "minute");
  return counted(Math.floor(seconds / 360) / 10, "hour");
}

/** Amounts that a quota limits: `3.5 hours of audio`, `1 track`, `4 GB`. */
export const QUOTA_IN_WORDS = {
  tracks: (count: number) => counted(count, "track"),
  seconds: (count: number) => `${lengthInWords(count)} of audio`,
  bytes: sizeInWords,
};
