import { randomBytes } from "node:crypto";
import { hashSecret } from "../../security/random.ts";
import { base32 } from "../../security/totp.ts";

const COUNT = 10;

/** 80 bits, so that a plain hash of it may be stored. */
const BYTES = 10;

/** Codes such as `ABCD-EFGH-IJKL-MNOP`, each for one entry without the authenticator app. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => (base32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join("-"));

/** The same for every way to write a code. `undefined` if it is none. */
export function recoveryHash(code: string): string | undefined {
  const letters = code.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z2-7]{16}$/.test(letters) ? hashSecret(`recovery ${letters}`) : undefined;
}
