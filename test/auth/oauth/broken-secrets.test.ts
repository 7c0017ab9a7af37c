import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultyStack, startFaultyStack } from "../../faults/faulty-stack.ts";
import { expectUnavailable } from "../../lib/http/requests.support.ts";
import { CALLBACK, expectError } from "../../support/oauth.ts";
import { logText } from "../../support/stack.ts";

let faulty: FaultyStack;
let { auth } = {} as FaultyStack;
let good: CryptoKey;

/** A typing error in the secret: the name is right, the key invalid. */
beforeAll(async () => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  good = privateKey;
  const jwk = { ...(await exportJWK(privateKey)), kid: "current", x: "AAAA" };
  faulty = await startFaultyStack({ JWT_KEYS: JSON.stringify({ keys: [jwk] }) }, 0);
  ({ auth } = faulty);
});
afterAll(() => faulty.stop());

const log = () => logText(faulty.dataDir, "worker");

const ready = async () => {
  const reply = await fetch(`${faulty.stack.urls.api}/readyz`);
  return { status: reply.status, body: await reply.json() };
};

test("a broken JWT key leaves the service alive but not ready, and the log names the secret (F58)", async () => {
  const { worker } = faulty.stack.pids();
  expect((await fetch(`${faulty.stack.urls.api}/healthz`)).status).toBe(200);
  for (let n = 0; n < 3; n++)
    expect(await ready()).toEqual({
      status: 503,
      body: { status: "failing", database: "ok", storage: "ok", secrets: "failing" },
    });
  await expect.poll(log).toMatch(/"event":"secrets_broken","secrets":\["JWT_KEYS"\]/);
  expect(log().match(/secrets_broken/g)).toHaveLength(1);
  // The same process reports it, so there is no restart loop.
  expect(faulty.stack.pids().worker).toBe(worker);
});

test("a broken JWT key refuses no valid token, consumes no code and causes no 500 (F58)", async () => {
  const { app, form } = await auth.createGrant();
  for (const answer of [await auth.token(form), await auth.ownToken(app)]) {
    expectError(answer, 503, "temporarily_unavailable");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  }
  const unused = await auth.sql(
    "select 1 from authorization_codes where app_id = $1 and redeemed_at is null",
    [app.id],
  );
  expect(unused).toHaveLength(1);
  const { api } = faulty.stack.urls;
  const token = await new SignJWT({ client_id: app.client_id, sid: "1", scope: "" })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "current" })
    .setIssuer(api)
    .setAudience(api)
    .setSubject("u:1")
    .setJti("x")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(good);
  const asked = await fetch(`${api}/me`, { headers: { Authorization: `OAuth ${token}` } });
  expectUnavailable({ status: asked.status, headers: asked.headers, text: await asked.text() });
  const keys = await fetch(`${api}/.well-known/jwks.json`);
  expect(keys.status).toBe(503);
  const older = await fetch(`${api}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: app.client_id,
      client_secret: app.client_secret,
      redirect_uri: CALLBACK,
      code: form.code ?? "",
    }),
  });
  expect(older.status).toBe(503);
  expect(await older.json()).toMatchObject({
    error: "temporarily_unavailable",
    error_description: expect.any(String),
  });
  // A malformed token is still reported as such.
  expect((await fetch(`${api}/me`, { headers: { Authorization: "OAuth junk" } })).status).toBe(401);
  expect(log()).toContain("BrokenSecret: JWT_KEYS");
});
