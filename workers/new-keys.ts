import { randomBytes } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";

/** A key of SIGNING_KEYS or SEAL_KEYS: base64 of 32 random bytes. */
export const newKey = (): string => randomBytes(32).toString("base64");

/** JWT_KEYS of two: one signs, and whoever keeps our public keys learns the next in time. */
export const newJwtKeys = async (): Promise<string> =>
  JSON.stringify({ keys: [await newJwtKey(), await newJwtKey()] });

async function newJwtKey(): Promise<object> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "ES256", use: "sig" };
}
