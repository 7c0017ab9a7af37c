import { createHash, randomBytes } from "node:crypto";

/**
 * The prefix tells secret scanners what leaked: authorization code, client secret, invitation, refresh token, site
 * session.
 */
type Kind = "ac" | "cs" | "iv" | "rt" | "ss";

/** 256 random bits, so that a plain hash of it may be stored. */
export const newSecret = (kind: Kind): string => `${kind}_${randomBytes(32).toString("base64url")}`;

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Uniform: bytes above the last multiple of 62 are drawn again. */
export function randomBase62(length: number): string {
  let drawn = "";
  while (drawn.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && drawn.length < length) drawn += BASE62[byte % 62];
    }
  }
  return drawn;
}
