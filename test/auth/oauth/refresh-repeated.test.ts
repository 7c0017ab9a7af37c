import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import { type App, auth, expectError, randomAddress, times } from "../../support/oauth.ts";

const refresh = (app: App, token: string, key: string, more: Record<string, string> = {}) =>
  auth.refresh(app, token, more, { headers: { "Idempotency-Key": key }, address: randomAddress() });

test("a refresh whose reply was lost gets the same reply under its key, and ends no session", async () => {
  const [{ app, tokens }, key] = [await auth.signedIn(), randomUUID()];
  const first = await refresh(app, tokens.refresh_token, key);
  expect([first.status, first.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  for (const sent of [key, `"${key}"`]) {
    const again = await refresh(app, tokens.refresh_token, sent);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  }
  expect(await auth.me(first.body.access_token)).toBe(200);
  const next = await refresh(app, first.body.refresh_token, randomUUID());
  expect(next.status).toBe(200);
});

test("concurrent retries get the same refresh token, each with a valid access token", async () => {
  const [{ app, tokens }, key] = [await auth.signedIn(), randomUUID()];
  const twins = await times(4, () => refresh(app, tokens.refresh_token, key));
  expect(twins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(twins.map(({ body }) => body.refresh_token)).size).toBe(1);
  for (const { body } of twins) expect(await auth.me(body.access_token)).toBe(200);
});

test.each([
  ["without its key", (app: App, token: string) => auth.refresh(app, token)],
  ["with another key", (app: App, token: string) => refresh(app, token, randomUUID())],
])("a token that is used again %s ends the session, as before (O79)", async (_, again) => {
  const { app, tokens } = await auth.signedIn();
  const first = await refresh(app, tokens.refresh_token, randomUUID());
  expectError(await again(app, tokens.refresh_token), 400, "invalid_grant");
  expect(await auth.me(first.body.access_token)).toBe(401);
});

test("a minute later it is a reuse", async () => {
  const [{ app, tokens }, key] = [await auth.signedIn(), randomUUID()];
  const first = await refresh(app, tokens.refresh_token, key);
  const keyHash = Buffer.from(hashSecret(["refresh", app.client_id, key].join("\n")), "base64url");
  const [row] = await auth.sql<{ seconds: number }>(
    `update idempotency_keys k set expires_at = now() from idempotency_keys old where k.key_hash = $1 and old.key_hash = $1
     returning extract(epoch from old.expires_at - now())::int as seconds`,
    [keyHash],
  );
  expect(row?.seconds).toBeLessThanOrEqual(60);
  expectError(await refresh(app, tokens.refresh_token, key), 400, "invalid_grant");
  expect(await auth.me(first.body.access_token)).toBe(401);
});

test("the key is the client's, the token's and the scope's", async () => {
  const [{ app, tokens }, other, key] = [await auth.signedIn(), await auth.signedIn(), randomUUID()];
  const first = await refresh(app, tokens.refresh_token, key);
  // Another client with the same key and token gets nothing and ends nothing.
  expectError(await refresh(other.app, tokens.refresh_token, key), 400, "invalid_grant");
  const guessing = { ...app, client_secret: "wrong" };
  expectError(await refresh(guessing, tokens.refresh_token, key), 401, "invalid_client");
  expect((await refresh(app, tokens.refresh_token, key)).body).toEqual(first.body);
  // A client that uses one key for every refresh gets new tokens for a new token.
  const next = await refresh(app, first.body.refresh_token, key);
  expect(next.status).toBe(200);
  expect(next.body.refresh_token).not.toBe(first.body.refresh_token);
  expect((await refresh(other.app, other.tokens.refresh_token, key)).status).toBe(200);
});

test("a retry after sign-out gets nothing", async () => {
  const [{ app, tokens }, key] = [await auth.signedIn(), randomUUID()];
  const first = await refresh(app, tokens.refresh_token, key);
  expect((await auth.signOut(first.body.access_token)).status).toBe(200);
  expectError(await refresh(app, tokens.refresh_token, key), 400, "invalid_grant");
});

test("a malformed key is refused by name and consumes nothing; other grants ignore it", async () => {
  const { app, tokens } = await auth.signedIn();
  const refused = await refresh(app, tokens.refresh_token, "a b");
  expectError(refused, 400, "invalid_request");
  expect(refused.text).toContain("Idempotency-Key");
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
  expect((await auth.ownToken(app, { headers: { "Idempotency-Key": "a b" } })).status).toBe(200);
});
