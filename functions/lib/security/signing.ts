import { createHmac, timingSafeEqual } from "node:crypto";
import { BrokenSecret } from "./broken-secret.ts";

/** A value signed for one purpose is invalid for another. */
export type Purpose =
  | "media"
  | "ticket"
  | "cursor"
  | "companion"
  | "form"
  | "device"
  | "play"
  | "listener"
  | "viewer"
  | "operator"
  | "entry";

const KEY_BYTES = 32;

/** Base64 of 32 random bytes each, comma-separated. The first signs, all verify. */
interface SigningKeys {
  SIGNING_KEYS: string;
}

const keysOf = new Map<string, Buffer[]>();

/** Throws `BrokenSecret` unless all keys are valid. */
export function checkSigningKeys({ SIGNING_KEYS }: SigningKeys): void {
  const secrets = (SIGNING_KEYS ?? "").split(",").map((secret) => Buffer.from(secret, "base64"));
  if (secrets.some(({ length }) => length !== KEY_BYTES)) throw new BrokenSecret("SIGNING_KEYS");
}

/** Derives one key per purpose from each secret. */
function keys(env: SigningKeys, purpose: Purpose): Buffer[] {
  const name = `${purpose}:${env.SIGNING_KEYS}`;
  const known = keysOf.get(name);
  if (known) return known;
  const secrets = (env.SIGNING_KEYS ?? "").split(",").map((secret) => Buffer.from(secret, "base64"));
  // A stray comma makes an empty key, with which anybody could sign.
  const whole = secrets.filter(({ length }) => length === KEY_BYTES);
  // Without keys, no signature can be called forged.
  if (!whole.length) throw new BrokenSecret("SIGNING_KEYS");
  const derived = whole.map((secret) => createHmac("sha256", secret).update(`soundpost ${purpose}`).digest());
  keysOf.set(name, derived);
  return derived;
}

const tag = (key: Buffer, payload: string) =>
  createHmac("sha256", key).update(payload).digest().subarray(0, 16);

/** `<payload>.<128-bit tag>`, safe in a path. */
export function sign(env: SigningKeys, purpose: Purpose, payload: string): string {
  const [current] = keys(env, purpose);
  if (!current) throw new BrokenSecret("SIGNING_KEYS");
  const encoded = Buffer.from(payload).toString("base64url");
  return `${encoded}.${tag(current, encoded).toString("base64url")}`;
}

/** Returns the payload, or `undefined` if none of our keys signed it for this purpose. */
export function verify(env: SigningKeys, purpose: Purpose, signed: string): string | undefined {
  const [encoded, given, ...rest] = signed.split(".");
  if (!encoded || !given || rest.length) return undefined;
  const bytes = Buffer.from(given, "base64url");
  if (bytes.length !== 16 || bytes.toString("base64url") !== given) return undefined;
  const genuine = keys(env, purpose).some((key) => timingSafeEqual(tag(key, encoded), bytes));
  return genuine ? Buffer.from(encoded, "base64url").toString() : undefined;
}

/** Without the secret, the digest reveals nothing about the text and confirms no guess. */
export function keyedDigest(env: SigningKeys, purpose: Purpose, text: string): Uint8Array {
  const [current] = keys(env, purpose);
  if (!current) throw new BrokenSecret("SIGNING_KEYS");
  return tag(current, text);
}
