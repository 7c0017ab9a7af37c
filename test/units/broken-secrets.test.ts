import { exportJWK, generateKeyPair } from "jose";
import { expect, test } from "vitest";
import { brokenSecrets } from "../../functions/api/health/secrets.ts";

const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), kid: "one" };
const jwks = (...keys: object[]) => JSON.stringify({ keys });
const key = Buffer.alloc(32, 7).toString("base64");
const whole = {
  JWT_KEYS: jwks(jwk),
  SIGNING_KEYS: `${key},${key}`,
  SEAL_KEYS: key,
};

test("valid secrets cause no complaint", async () => {
  expect(await brokenSecrets(whole)).toEqual([]);
});

test.for<[string, string | undefined]>([
  ["is missing", undefined],
  ["is empty", ""],
  ["is no JSON", "{"],
  ["is null", "null"],
  ["holds no key", jwks()],
  ["holds a key without its name", jwks({ ...jwk, kid: undefined })],
  ["holds a public key", jwks({ ...jwk, d: undefined })],
  ["holds a point that lies on no curve", jwks({ ...jwk, x: Buffer.alloc(32, 1).toString("base64url") })],
  ["holds a second key that is broken", jwks(jwk, { ...jwk, d: "AA" })],
])("JWT_KEYS that %s is reported by name (F58)", async ([, JWT_KEYS]) => {
  expect(await brokenSecrets({ ...whole, JWT_KEYS: JWT_KEYS as string })).toEqual(["JWT_KEYS"]);
});

test.for<[string, string | undefined]>([
  ["is missing", undefined],
  ["is empty", ""],
  ["is too short", Buffer.alloc(31).toString("base64")],
  ["has a stray comma", `${key},`],
])("a list of keys that %s is reported by name (F58)", async ([, keys]) => {
  const [SIGNING_KEYS, SEAL_KEYS] = [keys as string, keys as string];
  expect(await brokenSecrets({ ...whole, SIGNING_KEYS, SEAL_KEYS })).toEqual(["SIGNING_KEYS", "SEAL_KEYS"]);
});
