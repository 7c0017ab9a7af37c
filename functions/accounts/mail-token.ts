import { hashSecret, randomBase62 } from "../security/random.ts";

/** Seconds that a link in a mail may be followed. Who gets to read old mails must not find a way in there. */
const TTL_S = { confirm: 3 * 24 * 3600, cancel: 3 * 24 * 3600, reset: 3600 };

/** Characters: above 256 bits. */
const LENGTH = 43;

/** The prefix tells scanners what leaked. Only the hash is stored. */
export function newMailToken(purpose: keyof typeof TTL_S) {
  const token = `mt_${randomBase62(LENGTH)}`;
  return { token, hash: hashSecret(token), ttlS: TTL_S[purpose] };
}
