import { randomBytes } from "node:crypto";
import { hashSecret } from "./random.ts";
import { base32 } from "./totp.ts";

/** Codes that people read and type, such as `ABCD-EFGH-IJKL-MNOP`. */

/** 80 bits, so that a plain hash of it may be stored. */
const BYTES = 10;

export const newTypedCode = (): string => (base32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join("-");

/** The same for every way to write a code, and another for each purpose. `undefined` if it is none. */
export function typedCodeHash(purpose: "recovery" | "enrolment", code: string): string | undefined {
  const letters = code.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z2-7]{16}$/.test(letters) ? hashSecret(`${purpose} ${letters}`) : undefined;
}
