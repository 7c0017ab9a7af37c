import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Time-based one-time passwords with the values that every authenticator app knows. RFC 6238, RFC 4226 */

const STEP_S = 30;
const DIGITS = 6;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

/** Steps before and after now whose codes are accepted, because clocks differ. RFC 6238 §5.2 */
const DRIFT_STEPS = 1;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** Base32, as authenticator apps take it. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

/** RFC 4226 §5.3 */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

export const stepAt = (ms: number): number => Math.floor(ms / 1000 / STEP_S);

/** Returns the time step of a current code, or `undefined` if the code is invalid. The caller refuses used steps. */
export function matchTotp(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = stepAt(nowMs);
  const near = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, at) => now - DRIFT_STEPS + at);
  // Compares all, so that timing reveals nothing.
  const fitting = near.filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  );
  return fitting.at(-1);
}

/** The address that apps read from a QR code: github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  // A colon separates issuer and account.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(":", " "))).join(":");
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer.replaceAll(":", " "))}`;
}
