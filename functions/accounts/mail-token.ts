import { hashSecret, randomBase62 } from "../security/random.ts";

/** Seconds that a link in a mail works. Somebody who later reads old mail must find no way in. */
const TTL_S = { confirm: 3 * 24 * 3600, cancel: 3 * 24 * 3600, reset: 3600 };

/** Characters, more than 256 bits. */
const LENGTH = 43;

/** The prefix tells secret scanners what leaked. Only the hash is stored. */
export function newMailToken(purpose: keyof typeof TTL_S) {
  const token = `mt_${randomBase62(LENGTH)}`;
  return { token, hash: hashSecret(token), ttlS: TTL_S[purpose] };
}
