import { createHash } from "node:crypto";

/** RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Maps an impossible verifier to an impossible challenge, so that it counts as a wrong guess. */
export function challengeOf(verifier: string | undefined): string | null {
  if (verifier === undefined) return null;
  return VERIFIER.test(verifier) ? createHash("sha256").update(verifier).digest("base64url") : "malformed";
}
