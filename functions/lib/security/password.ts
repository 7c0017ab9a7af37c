import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { endHashTurn, hashTurn, refuseLongQueue } from "./hash-turns.ts";

type Cost = Record<"N" | "r" | "p", number>;

/** OWASP's parameters of equal strength that fit the platform's limits (N·r·p ≤ 2^20, 16 MiB). */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };

/** Takes a millisecond instead of 140. Only the tests' stack asks for it. */
const CHEAP_COST: Cost = { N: 2 ** 8, r: 8, p: 1 };

type HashEnv = { CHEAP_PASSWORDS?: "on" };

const isCheap = (env: HashEnv) => env.CHEAP_PASSWORDS === "on";
const costIn = (env: HashEnv) => (isCheap(env) ? CHEAP_COST : COST);
const prefixOf = ({ N, r, p }: Cost) => `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$`;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Bytes. Longer passwords are refused before hashing, so they cannot overload it. */
export const MAX_PASSWORD_BYTES = 1024;

/**
 * Throws 429 if the hash queue is long. Call it before an attempt is counted, so that a busy queue costs nobody
 * attempts.
 */
export function refuseWhileCrowded(env: HashEnv): void {
  if (!isCheap(env)) refuseLongQueue();
}

/** A PHC string: `$scrypt$ln=14,r=8,p=5$<salt>$<key>`. */
export async function hashPassword(password: string, env: HashEnv = {}): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, costIn(env), env);
  return `${prefixOf(costIn(env))}${unpadded(salt)}$${unpadded(key)}`;
}

const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes even if nothing is stored: the time must not reveal who has an account. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  env: HashEnv = {},
): Promise<boolean> {
  const [, ln, r, p, salt, key] = PHC.exec(stored ?? "") ?? [];
  if (!ln || !r || !p || !salt || !key) {
    await derive(password, randomBytes(SALT_BYTES), costIn(env), env);
    return false;
  }
  const expected = Buffer.from(key, "base64");
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt, "base64"), cost, env);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether the hash was made at another cost than today's. */
export const isOutdated = (stored: string, env: HashEnv): boolean =>
  !stored.startsWith(prefixOf(costIn(env)));

async function derive(password: string, salt: Buffer, cost: Cost, env: HashEnv): Promise<Buffer> {
  if (!isCheap(env)) await hashTurn();
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, cost, (error, key) => {
      endHashTurn();
      if (error) reject(error);
      else resolve(key);
    });
  });
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
