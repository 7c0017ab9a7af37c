import type { MailToken } from "../../../db/queries/mail-links.ts";
import { hashSecret, randomBase62 } from "../../lib/security/random.ts";
import { seal } from "../../lib/security/sealing.ts";

/** Seconds. Short, so that old mail gives nobody access. */
const TTL_S = { confirm: 3 * 24 * 3600, cancel: 3 * 24 * 3600, reset: 3600 };

/** Characters, more than 256 bits. */
const LENGTH = 43;

/**
 * The prefix tells secret scanners what leaked. Only the hash is stored; the encrypted token is deleted once its mail
 * is sent.
 */
export function newMailToken(env: Parameters<typeof seal>[0], purpose: keyof typeof TTL_S): MailToken {
  const token = `mt_${randomBase62(LENGTH)}`;
  return { hash: hashSecret(token), ttlS: TTL_S[purpose], sealed: seal(env, token) };
}
