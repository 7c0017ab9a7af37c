import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import { auth, basicOf, expectError, randomAddress, times } from "../../support/oauth.ts";

test("a refresh returns a new pair of the same session, and the old access token stays valid for its hour (O78)", async () => {
  const { app, tokens } = await auth.signedIn();
  const { status, body } = await auth.refresh(app, tokens.refresh_token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "" });
  expect(body.access_token).not.toBe(tokens.access_token);
  expect(body.refresh_token).not.toBe(tokens.refresh_token);
  const [before, after] = [decodeJwt(tokens.access_token), decodeJwt(body.access_token)];
  expect([after.sid, after.sub]).toEqual([before.sid, before.sub]);
  expect(after.jti).not.toBe(before.jti);
  expect([await auth.me(tokens.access_token), await auth.me(body.access_token)]).toEqual([200, 200]);
});

test("a refresh accepts the client in the header (O78)", async () => {
  const { app, tokens } = await auth.signedIn();
  const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  expect((await auth.token(form, { headers: basicOf(app) })).status).toBe(200);
});

test("a token used again revokes its whole family (O79)", async () => {
  const { app, userId, tokens } = await auth.signedIn();
  const other = await auth.signedIn(app, userId);
  const second = (await auth.refresh(app, tokens.refresh_token)).body;
  const third = (await auth.refresh(app, second.refresh_token)).body;
  expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
  for (const { access_token } of [tokens, second, third]) expect(await auth.me(access_token)).toBe(401);
  expectError(await auth.refresh(app, third.refresh_token), 400, "invalid_grant");
  expect(await auth.me(other.tokens.access_token)).toBe(200);
  expect((await auth.refresh(app, other.tokens.refresh_token)).status).toBe(200);
});

test("a token used again right after the reply does so every time (O79)", async () => {
  await times(5, async () => {
    for (let round = 0; round < 4; round++) {
      const { app, tokens } = await auth.signedIn();
      const { access_token } = (await auth.refresh(app, tokens.refresh_token)).body;
      expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
      expect(await auth.me(access_token)).toBe(401);
    }
  });
});

test("another app can neither use the token nor revoke its family (O81)", async () => {
  const { app, tokens } = await auth.signedIn();
  const other = await auth.createApp();
  expectError(await auth.refresh(other, tokens.refresh_token), 400, "invalid_grant");
  const { body } = await auth.refresh(app, tokens.refresh_token);
  expectError(await auth.refresh(other, tokens.refresh_token), 400, "invalid_grant");
  expect(await auth.me(body.access_token)).toBe(200);
  expect((await auth.refresh(app, body.refresh_token)).status).toBe(200);
});

test("a wrong secret does not consume the token (O81)", async () => {
  const { app, tokens } = await auth.signedIn();
  const guessing = { ...app, client_secret: "wrong" };
  const answer = await auth.refresh(guessing, tokens.refresh_token, {}, { address: randomAddress() });
  expectError(answer, 401, "invalid_client");
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
});

test("the scope never grows (O82)", async () => {
  const { app, userId, tokens } = await auth.signedIn();
  for (const scope of ["admin", "a b", "read admin", "non-expiring"])
    expectError(await auth.refresh(app, tokens.refresh_token, { scope }), 400, "invalid_scope");
  const { status, body } = await auth.refresh(app, tokens.refresh_token, { scope: "" });
  expect([status, body.scope]).toEqual([200, ""]);
  await auth.sql("update sessions set scope = 'read' where user_id = $1", [userId]);
  for (const scope of ["*", "tracks", "read tracks"])
    expectError(await auth.refresh(app, body.refresh_token, { scope }), 400, "invalid_scope");
});

test("part of the session's scope may be requested, and the refresh token keeps all of it (O82)", async () => {
  const { app, userId, tokens } = await auth.signedIn();
  await auth.sql("update sessions set scope = 'read tracks' where user_id = $1", [userId]);
  expectError(await auth.refresh(app, tokens.refresh_token, { scope: "read admin" }), 400, "invalid_scope");
  let { refresh_token } = tokens;
  for (const [asked, granted] of [
    ["tracks", "tracks"],
    ["tracks read", "read tracks"],
    ["", "read tracks"],
    ["read", "read"],
    [undefined, "read tracks"],
  ]) {
    const { status, body } = await auth.refresh(
      app,
      refresh_token,
      asked === undefined ? {} : { scope: asked },
    );
    expect([asked, status, body.scope, decodeJwt(body.access_token).scope]).toEqual([
      asked,
      200,
      granted,
      granted,
    ]);
    expect(await auth.me(body.access_token)).toBe(granted === "tracks" ? 403 : 200);
    refresh_token = body.refresh_token;
  }
});

type Family = Awaited<ReturnType<typeof auth.signedIn>>;

/** Expects an ended family, although the token was never used. */
async function expectEnded(
  { app, tokens }: Family,
  [status, error]: [number, string] = [400, "invalid_grant"],
) {
  const answer = await auth.refresh(app, tokens.refresh_token, {}, { address: randomAddress() });
  expectError(answer, status, error);
}

test.for([
  ["unused for its ninety days (O83)", "update refresh_tokens set expires_at = now() where session_id = $1"],
  ["after the year of its session (O83)", "update sessions set expires_at = now() where id = $1"],
  ["of a session that ended (O84)", "update sessions set revoked_at = now() where id = $1"],
  ["of a session that was deleted (O84)", "delete from sessions where id = $1"],
])("a token %s is refused", async ([, change]) => {
  const family = await auth.signedIn();
  await auth.sql(change ?? "", [decodeJwt(family.tokens.access_token).sid]);
  await expectEnded(family);
});

test("a refresh token lasts ninety days unused and a year in all (O83)", async () => {
  const { tokens } = await auth.signedIn();
  const [left] = await auth.sql(
    `select extract(epoch from r.expires_at - now()) / 86400 as unused, extract(epoch from s.expires_at - now()) / 86400 as whole
     from refresh_tokens r join sessions s on s.id = r.session_id where r.hash = $1`,
    [hashSecret(tokens.refresh_token)],
  );
  expect([Math.round(left?.unused), Math.round(left?.whole)]).toEqual([90, 365]);
});

describe("a token ends with (O84)", () => {
  test("its session's sign-out", async () => {
    const family = await auth.signedIn();
    expect((await auth.signOut(family.tokens.access_token)).status).toBe(200);
    await expectEnded(family);
  });

  test("its user, disabled or deleted", async () => {
    const [disabled, deleted] = [await auth.signedIn(), await auth.signedIn()];
    await auth.sql("update users set disabled_at = now() where id = $1", [disabled.userId]);
    await auth.sql("delete from users where id = $1", [deleted.userId]);
    for (const family of [disabled, deleted]) await expectEnded(family);
  });

  test("its app, disabled or deleted", async () => {
    const [disabled, deleted] = [await auth.signedIn(), await auth.signedIn()];
    await auth.sql("update apps set disabled_at = now() where id = $1", [disabled.app.id]);
    await auth.sql("delete from apps where id = $1", [deleted.app.id]);
    for (const family of [disabled, deleted]) await expectEnded(family, [401, "invalid_client"]);
    for (const { tokens } of [disabled, deleted]) expect(await auth.me(tokens.access_token)).toBe(401);
  });
});

test("access and refresh tokens cannot replace each other (O85)", async () => {
  const { app, tokens, code } = await auth.signedIn();
  for (const foreign of [
    tokens.access_token,
    code,
    app.client_secret,
    hashSecret(tokens.refresh_token),
    "rt_",
  ])
    expectError(await auth.refresh(app, foreign), 400, "invalid_grant");
  expectError(await auth.refresh(app, ""), 400, "invalid_request");
  for (const foreign of [tokens.refresh_token, code, app.client_secret, hashSecret(tokens.refresh_token)])
    expect(await auth.me(foreign)).toBe(401);
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
});

test("a refused refresh says why, and what to do", async () => {
  const { app, tokens } = await auth.signedIn();
  const typeOf = async (token: string) => {
    const { body } = await auth.refresh(app, token);
    return (body as unknown as { link: string }).link.replace(/.*#/, "");
  };
  expect(await typeOf("rt_unknown")).toBe("invalid-grant");
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
  expect(await typeOf(tokens.refresh_token)).toBe("used-refresh-token");
  const ended = await auth.signedIn();
  await auth.revoke(ended.app, ended.tokens.access_token);
  const { body } = await auth.refresh(ended.app, ended.tokens.refresh_token);
  expect(body).toMatchObject({ error_description: expect.stringContaining("send the user to /authorize") });
});
