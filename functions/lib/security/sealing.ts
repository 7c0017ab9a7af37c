import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { BrokenSecret } from "./broken-secret.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Base64 of 32 random bytes each, comma-separated. The first seals, all open. */
interface Keys {
  SEAL_KEYS: string;
}

const keysOf = ({ SEAL_KEYS }: Keys) => (SEAL_KEYS ?? "").split(",").map((key) => Buffer.from(key, "base64"));

/** Throws `BrokenSecret` unless all keys are valid. */
export function checkSealKeys(env: Keys): void {
  if (keysOf(env).some(({ length }) => length !== KEY_BYTES)) throw new BrokenSecret("SEAL_KEYS");
}

/** Encrypts secrets that must be shown again, with AES-256-GCM and the first key. Order: IV, tag, text. */
export function seal(env: Keys, secret: string): Buffer {
  const [key] = keysOf(env);
  if (key?.length !== KEY_BYTES) throw new BrokenSecret("SEAL_KEYS");
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Tries all keys, so that one can be replaced. Returns `undefined` if none opens it. */
export function unseal(env: Keys, sealed: Buffer): string | undefined {
  for (const key of keysOf(env)) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString("utf8");
    } catch {
      // Another key may have sealed it.
    }
  }
  return undefined;
}

/** Opens what the database returned as Base64. Returns `undefined` if no key opens it. */
export const unsealBase64 = (env: Keys, sealed: string): string | undefined =>
  unseal(env, Buffer.from(sealed, "base64"));
