import type { MailToken } from "../../../db/queries/accounts.ts";
import { hashSecret, randomBase62 } from "../../lib/security/random.ts";
import { seal } from "../../lib/security/sealing.ts";

/** Seconds that a link in a mail works. Somebody who later reads old mail must find no way in. */
const TTL_S = { confirm: 3 * 24 * 3600, cancel: 3 * 24 * 3600, reset: 3600 };

/** Characters, more than 256 bits. */
const LENGTH = 43;

/** The prefix tells secret scanners what leaked. The hash is stored, and the token encrypted until its mail was sent. */
export function newMailToken(env: Parameters<typeof seal>[0], purpose: keyof typeof TTL_S): MailToken {
  const token = `mt_${randomBase62(LENGTH)}`;
  return { hash: hashSecret(token), ttlS: TTL_S[purpose], sealed: seal(env, token) };
}
