import { randomBytes } from "node:crypto";
import { hashSecret } from "./random.ts";
import { base32 } from "./totp.ts";

/** Codes that people read and type, such as `ABCD-EFGH-IJKL-MNOP`. */

/** 80 bits, so that a plain hash of it may be stored. */
const BYTES = 10;

export const newTypedCode = (): string => (base32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join("-");

/** Ignores case, spaces and hyphens, and differs by purpose. `undefined` if it is not a code. */
export function typedCodeHash(
  purpose: "recovery" | "enrolment" | "podcast",
  code: string,
): string | undefined {
  const letters = code.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z2-7]{16}$/.test(letters) ? hashSecret(`${purpose} ${letters}`) : undefined;
}
