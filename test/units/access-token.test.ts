import { createHmac } from "node:crypto";
import {
  calculateJwkThumbprint,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from "jose";
import { afterEach, expect, test, vi } from "vitest";
import {
  ACCESS_TOKEN_TTL_S,
  issueAccessToken,
  verifyAccessToken,
} from "../../functions/lib/http/access-token.ts";

const newKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "ES256", use: "sig" };
};

const [current, next, stranger] = await Promise.all([newKey(), newKey(), newKey()]);

const issuerWith = (...keys: JWK[]) => ({
  JWT_KEYS: JSON.stringify({ keys }),
  AUTH_URL: "https://auth.example",
  API_URL: "https://api.example",
});

const issuer = issuerWith(current, next);
const viewer = { sessionId: 5, clientId: "app-1", userId: 7 };

const CLAIMS = { client_id: "app-1", sid: "5", scope: "" };

/** Forges a token like ours, with these changes. */
async function forge({ header = {}, claims = {}, drop = [] as string[], key = current }) {
  const now = Math.floor(Date.now() / 1000);
  const standard = {
    iss: issuer.AUTH_URL,
    aud: issuer.API_URL,
    sub: "u:7",
    jti: "1",
    iat: now,
    exp: now + 60,
  };
  const payload = Object.fromEntries(
    Object.entries({ ...CLAIMS, ...standard, ...claims }).filter(([name]) => !drop.includes(name)),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key.kid, ...header })
    .sign(await importJWK(key, "ES256"), { crit: { x: true } });
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

afterEach(() => void vi.useRealTimers());

test("issued tokens verify, for users and for apps alone", async () => {
  expect(await verifyAccessToken(await issueAccessToken(issuer, viewer), issuer)).toEqual(viewer);
  const app = { ...viewer, userId: null };
  expect(await verifyAccessToken(await issueAccessToken(issuer, app), issuer)).toEqual(app);
});

test("an unchanged forgery verifies, so the forger is realistic", async () => {
  expect(await verifyAccessToken(await forge({}), issuer)).toEqual(viewer);
});

test("a change of any one character is refused", async () => {
  const token = await issueAccessToken(issuer, viewer);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  const changed = [
    ...[0, 5, header.length - 2].map((at) => `${flip(header, at)}.${payload}.${signature}`),
    ...[0, 9, payload.length - 2].map((at) => `${header}.${flip(payload, at)}.${signature}`),
    ...[0, 9, 40, 84].map((at) => `${header}.${payload}.${flip(signature, at)}`),
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${token}.`,
    `${token}.x`,
    "",
    "..",
    "x",
  ];
  for (const each of changed) expect(await verifyAccessToken(each, issuer), each).toBeUndefined();
});

test("foreign claims under a genuine signature are refused", async () => {
  const [header, , signature] = (await forge({})).split(".");
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...CLAIMS,
    iss: issuer.AUTH_URL,
    aud: issuer.API_URL,
    sub: "u:1",
    jti: "1",
    exp: now + 60,
  };
  expect(await verifyAccessToken(`${header}.${part(claims)}.${signature}`, issuer)).toBeUndefined();
});

test.each(["none", "None", "NONE", ""])("alg %j is refused", async (alg) => {
  const [, payload] = (await forge({})).split(".");
  const header = part({ alg, typ: "at+jwt", kid: current.kid });
  for (const signature of ["", "AA"])
    expect(await verifyAccessToken(`${header}.${payload}.${signature}`, issuer)).toBeUndefined();
});

test("HS256 with the public key as its secret is refused", async () => {
  const [, payload] = (await forge({})).split(".");
  const { d: _private, ...publicJwk } = current;
  const spki = await exportSPKI(
    (await importJWK({ ...publicJwk, ext: true }, "ES256", { extractable: true })) as CryptoKey,
  );
  const signed = `${part({ alg: "HS256", typ: "at+jwt", kid: current.kid })}.${payload}`;
  for (const secret of [
    spki,
    JSON.stringify(publicJwk),
    String(current.x),
    Buffer.from(String(current.x), "base64url"),
  ]) {
    const signature = createHmac("sha256", secret).update(signed).digest("base64url");
    expect(await verifyAccessToken(`${signed}.${signature}`, issuer)).toBeUndefined();
  }
});

test.each([
  ["type JWT", { header: { typ: "JWT" } }],
  ["type of another token", { header: { typ: "logout+jwt" } }],
  ["no type", { header: { typ: undefined } }],
  ["an unknown critical extension", { header: { crit: ["x"], x: 1 } }],
  ["another issuer", { claims: { iss: "https://evil.example" } }],
  ["our issuer with a slash", { claims: { iss: "https://auth.example/" } }],
  ["another audience", { claims: { aud: "https://other.example" } }],
  ["no audience", { drop: ["aud"] }],
  ["no issuer", { drop: ["iss"] }],
  ["no expiry", { drop: ["exp"] }],
  ["no subject", { drop: ["sub"] }],
  ["no session", { drop: ["sid"] }],
  ["no client", { drop: ["client_id"] }],
  ["no token id", { drop: ["jti"] }],
  ["a bare user id", { claims: { sub: "7" } }],
  ["user 0", { claims: { sub: "u:0" } }],
  ["a user in hexadecimal", { claims: { sub: "u:0x7" } }],
  ["a user of 400 digits", { claims: { sub: `u:${"9".repeat(400)}` } }],
  ["a numeric session", { claims: { sid: 5 } }],
  ["a session of words", { claims: { sid: "5 or 1=1" } }],
  ["a start in the future", { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
  ["a key that is not ours", { key: stranger }],
])("a token with %s is refused", async (_, changes) => {
  expect(await verifyAccessToken(await forge(changes), issuer)).toBeUndefined();
});

test("only a known kid finds a key", async () => {
  const { d: _private, ...publicJwk } = stranger;
  const headers = [
    { kid: undefined },
    { kid: "" },
    { kid: "../../keys" },
    { kid: current.kid, jwk: publicJwk },
  ];
  for (const header of [...headers, { kid: undefined, jku: "https://evil.example/jwks.json" }])
    expect(await verifyAccessToken(await forge({ key: stranger, header }), issuer)).toBeUndefined();
});

test("a token lasts an hour plus the clock tolerance, even if it was cached", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const token = await issueAccessToken(issuer, viewer);
  const at = Date.now();
  expect(await verifyAccessToken(token, issuer)).toEqual(viewer);
  vi.setSystemTime(at + (ACCESS_TOKEN_TTL_S + 2) * 1000);
  expect(await verifyAccessToken(token, issuer)).toEqual(viewer);
  vi.setSystemTime(at + (ACCESS_TOKEN_TTL_S + 7) * 1000);
  expect(await verifyAccessToken(token, issuer)).toBeUndefined();
});

test("an expired token is refused on first sight too", async () => {
  const now = Math.floor(Date.now() / 1000);
  expect(await verifyAccessToken(await forge({ claims: { exp: now - 6 } }), issuer)).toBeUndefined();
  expect(await verifyAccessToken(await forge({ claims: { exp: now - 3 } }), issuer)).toEqual(viewer);
});

test("keys rotate without a refused token: the next key is known before it signs, the last one after (F59)", async () => {
  const before = await issueAccessToken(issuerWith(current, next), viewer);
  const rotated = issuerWith(next, current);
  expect(await verifyAccessToken(before, rotated)).toEqual(viewer);
  const after = await issueAccessToken(rotated, viewer);
  // Simulates an isolate that still holds the earlier list.
  expect(await verifyAccessToken(after, issuerWith(current, next))).toEqual(viewer);
});

test("a dropped key's tokens are refused", async () => {
  const token = await issueAccessToken(issuerWith(current), viewer);
  expect(await verifyAccessToken(token, issuerWith(next))).toBeUndefined();
});
