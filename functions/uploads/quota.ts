import type { Room } from "../../db/queries/classic-uploads.ts";
import type { QuotaRefusal } from "../../db/queries/uploads.ts";
import { forbidden } from "../http/errors.ts";
import { sizeInWords } from "../text/size.ts";

const IN_WORDS = {
  seconds: (count: number) => `${lengthInWords(count)} of audio`,
  tracks: (count: number) => `${count} tracks`,
  bytes: sizeInWords,
};

/** `3.5 hours`, `90 minutes`, `50 seconds`. */
function lengthInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} minutes`;
  return `${Math.floor(seconds / 360) / 10} hours`;
}

/** Throws 403. `field` names the file, or its size. */
export function refuseOverQuota(field: string, { limit, most, left }: QuotaRefusal): never {
  const inWords = IN_WORDS[limit];
  const rest = left > 0 ? `has ${inWords(left)} left` : "is used up";
  return forbidden(`${field}: your quota of ${inWords(most)} ${rest}`, "over-quota");
}

/** Throws 403 if a file of so many bytes, or of unknown size yet, is more than the quota's room. */
export function checkRoom(field: string, { refusal, most_bytes, bytes_left }: Room, bytes: number): void {
  if (refusal) refuseOverQuota(field, refusal);
  if (most_bytes !== null && bytes_left !== null && bytes > bytes_left)
    refuseOverQuota(field, { limit: "bytes", most: most_bytes, left: bytes_left });
}
