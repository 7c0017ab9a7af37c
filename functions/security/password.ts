import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { endHashTurn, hashTurn } from "./hash-turns.ts";

/** OWASP's row of equal strength that fits the platform's limits (N·r·p ≤ 2^20, 16 MiB). */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Bytes. Longer passwords are refused before hashing, so they cannot overload it. */
export const MAX_PASSWORD_BYTES = 1024;

const PREFIX = `$scrypt$ln=${Math.log2(COST.N)},r=${COST.r},p=${COST.p}$`;

/** A PHC string: `$scrypt$ln=14,r=8,p=5$<salt>$<key>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return `${PREFIX}${unpadded(salt)}$${unpadded(key)}`;
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes even if nothing is stored: the time must not reveal who has an account. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt, key] = PHC.exec(stored ?? "") ?? [];
  if (!ln || !r || !p || !salt || !key) {
    await derive(password, randomBytes(SALT_BYTES), COST);
    return false;
  }
  const expected = Buffer.from(key, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), {
    N: 2 ** Number(ln),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether the hash was made at another cost than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX);

async function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  await hashTurn();
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, cost, (error, key) => {
      endHashTurn();
      if (error) reject(error);
      else resolve(key);
    });
  });
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
