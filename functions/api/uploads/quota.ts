import type { Room } from "../../../db/queries/classic-uploads.ts";
import type { QuotaRefusal } from "../../../db/queries/uploads.ts";
import { forbidden } from "../../lib/http/errors.ts";
import { QUOTA_IN_WORDS } from "../../lib/text/quota.ts";

/** Throws 403. `field` names the file, or its size. */
export function refuseOverQuota(field: string, { limit, most, left }: QuotaRefusal): never {
  const inWords = QUOTA_IN_WORDS[limit];
  const rest = left > 0 ? `has ${inWords(left)} left` : "is used up";
  return forbidden(`${field}: your quota of ${inWords(most)} ${rest}`, "over-quota");
}

/** Throws 403 if a file of this many bytes, or of unknown size, exceeds the quota. */
export function checkRoom(field: string, { refusal, most_bytes, bytes_left }: Room, bytes: number): void {
  if (refusal) refuseOverQuota(field, refusal);
  if (most_bytes !== null && bytes_left !== null && bytes > bytes_left)
    refuseOverQuota(field, { limit: "bytes", most: most_bytes, left: bytes_left });
}
