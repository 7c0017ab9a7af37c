import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { expect, test } from "vitest";
import { auth, randomAddress, statuses } from "../../support/oauth.ts";
import { stack } from "../../support/stack.ts";

const KEYS = (JSON.parse(stack.secrets.JWT_KEYS) as { keys: JWK[] }).keys;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs the token's claims again with some changes and our own key. */
async function resigned(token: string, claims: Record<string, unknown> = {}, key: JWK | undefined = KEYS[0]) {
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", ...(key?.kid !== undefined && { kid: key.kid }) })
    .sign(await importJWK(key ?? {}, "ES256"));
}

const asking = (path: string, token: string, method = "GET") =>
  auth.send<{ id: number }>(path, { method, headers: { Authorization: `OAuth ${token}` } });

test("a forged token is refused by everything that takes tokens, without a statement (O99)", async () => {
  const { app, tokens } = await auth.signedIn();
  const other = await auth.signedIn();
  const [header = "", payload = "", signature = ""] = tokens.access_token.split(".");
  const [, otherPayload = "", otherSignature = ""] = other.tokens.access_token.split(".");
  const headed = (more: object) => part({ alg: "ES256", typ: "at+jwt", kid: KEYS[0]?.kid, ...more });
  const raw = Buffer.from(signature, "base64url");
  const der = Buffer.concat([
    Buffer.from([0x30, 70, 0x02, 33, 0]),
    raw.subarray(0, 32),
    Buffer.from([0x02, 33, 0]),
    raw.subarray(32),
  ]);
  const forged = {
    "another token's payload": `${header}.${otherPayload}.${signature}`,
    "another token's signature": `${header}.${payload}.${otherSignature}`,
    "a signature of zeros": `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
    "a signature of zero bytes": `${header}.${payload}.`,
    "a signature in DER": `${header}.${payload}.${der.toString("base64url")}`,
    "a longer signature": `${header}.${payload}.${Buffer.concat([raw, raw]).toString("base64url")}`,
    "alg none": `${part({ alg: "none", typ: "at+jwt" })}.${payload}.`,
    "alg ES384": `${headed({ alg: "ES384" })}.${payload}.${signature}`,
    "an array of algs": `${headed({ alg: ["ES256"] })}.${payload}.${signature}`,
    "an unencoded payload": `${headed({ b64: false, crit: ["b64"] })}.${payload}.${signature}`,
    x5u: `${headed({ kid: undefined, x5u: `${stack.urls.api}/healthz` })}.${payload}.${signature}`,
    "five parts": `${header}.${payload}.${signature}.${payload}.${signature}`,
    "a refresh token": tokens.refresh_token,
    "a stranger's key": await resigned(tokens.access_token, {}, await strangersKey()),
  };
  for (const [name, token] of Object.entries(forged)) {
    const read = await asking("/me", token);
    expect([name, read.status, read.headers["server-timing"]]).toEqual([name, 401, undefined]);
    const ended = await auth.signOut(token);
    expect([name, ended.status, ended.headers["server-timing"]]).toEqual([name, 401, undefined]);
    if (token === tokens.refresh_token) continue;
    expect([name, (await auth.introspect(app, token)).text]).toEqual([name, '{"active":false}']);
    expect((await auth.revoke(app, token)).status).toBe(200);
  }
  for (const { access_token } of [tokens, other.tokens]) expect(await auth.me(access_token)).toBe(200);
});

async function strangersKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: KEYS[0]?.kid ?? "" };
}

test("the header takes precedence over the query (O101)", async () => {
  const [ana, ben] = [await auth.signedIn(), await auth.signedIn()];
  const foreign = ben.tokens.access_token;
  for (const name of ["access_token", "oauth_token"]) {
    const asked = (token: string) =>
      fetch(`${stack.urls.api}/me?${name}=${foreign}`, { headers: { Authorization: `OAuth ${token}` } });
    const reply = await asked(ana.tokens.access_token);
    expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ id: ana.userId })]);
    expect((await asked("junk")).status).toBe(401);
  }
});

test("401: an app's own token where a user is required (O102)", async () => {
  const { body } = await auth.ownToken(await auth.createApp(), { address: randomAddress() });
  for (const path of ["/me", "/me/tracks", "/uploads"]) {
    const { status, headers } = await asking(path, body.access_token);
    expect([path, status]).toEqual([path, 401]);
    expect(headers["www-authenticate"]).toContain('error="invalid_token"');
  }
});

test("every published key is accepted, and no other (O103)", async () => {
  const { tokens } = await auth.signedIn();
  expect(KEYS.length).toBeGreaterThan(1);
  for (const key of KEYS) expect(await auth.me(await resigned(tokens.access_token, {}, key))).toBe(200);
  const dropped = { ...(await strangersKey()), kid: "dropped" };
  expect(await auth.me(await resigned(tokens.access_token, {}, dropped))).toBe(401);
});

test("the key set is public and verifies our tokens (O104)", async () => {
  const answer = await fetch(`${stack.urls.api}/.well-known/jwks.json`);
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "public, max-age=3600"]);
  const { keys } = (await answer.json()) as { keys: JWK[] };
  expect(keys.map(({ kid }) => kid)).toEqual(KEYS.map(({ kid }) => kid));
  for (const key of keys) {
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig", kid: expect.any(String) });
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  }
  const { tokens } = await auth.signedIn();
  const [key = {}] = keys;
  const { payload } = await jwtVerify(tokens.access_token, await importJWK(key, "ES256"), {
    issuer: stack.urls.api,
    audience: stack.urls.api,
    typ: "at+jwt",
  });
  expect(payload.exp).toBeGreaterThan(Date.now() / 1000);
});

test("an app whose client id resembles a user's id never acts as that user (O105)", async () => {
  const userId = await auth.createUser();
  for (const client_id of [String(userId), `u:${userId}`]) {
    const app = await auth.createApp(client_id);
    const { status, body } = await auth.ownToken(app, { address: randomAddress() });
    expect([status, decodeJwt(body.access_token).sub]).toEqual([200, `c:${client_id}`]);
    expect(await auth.me(body.access_token)).toBe(401);
    expect((await auth.introspect(app, body.access_token)).body).toMatchObject({
      active: true,
      sub: `c:${client_id}`,
    });
    // Signed by us, and still refused: the session belongs to the app and has no user.
    expect(await auth.me(await resigned(body.access_token, { sub: `u:${userId}` }))).toBe(401);
  }
});

test("a token names only its session's user and app (O105)", async () => {
  const [ana, ben] = [await auth.signedIn(), await auth.signedIn()];
  const lies = [
    { sub: `u:${ben.userId}` },
    { client_id: ben.app.client_id },
    { sid: decodeJwt(ben.tokens.access_token).sid },
    { sub: `c:${ana.app.client_id}` },
  ];
  const forged = await Promise.all(lies.map((claims) => resigned(ana.tokens.access_token, claims)));
  expect(statuses(await Promise.all(forged.map((token) => asking("/me", token))))).toEqual(
    Array(4).fill(401),
  );
  for (const token of forged) expect((await auth.signOut(token)).status).toBe(401);
  for (const { tokens } of [ana, ben]) expect(await auth.me(tokens.access_token)).toBe(200);
});
