import { createHash, randomBytes } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import { atOnce, auth, basicOf, CALLBACK, expectError, statuses, times } from "../../support/oauth.ts";
import { repeats } from "../../support/repeats.ts";
import { stack } from "../../support/stack.ts";

const s256 = (text: string) => createHash("sha256").update(text).digest("base64url");

const without = (form: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));

test("a code is exchanged for a user's tokens, with the client in the body (O37)", async () => {
  const beganS = Math.floor(Date.now() / 1000);
  const { form, userId, app } = await auth.createGrant();
  const { status, body } = await auth.token(form);
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^rt_[\w-]{43}$/),
    scope: "",
  });
  expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: "ES256", typ: "at+jwt" });
  const { iat = 0, exp, ...claims } = decodeJwt(body.access_token);
  expect(claims).toEqual({
    iss: stack.urls.api,
    aud: stack.urls.api,
    sub: `u:${userId}`,
    client_id: app.client_id,
    scope: "",
    sid: expect.stringMatching(/^\d+$/),
    jti: expect.any(String),
  });
  expect(exp).toBe(iat + 3600);
  expect(iat).toBeGreaterThanOrEqual(beganS);
  expect(iat).toBeLessThanOrEqual(Date.now() / 1000);
  const me = await auth.send<{ id: number }>("/me", {
    method: "GET",
    headers: { Authorization: `OAuth ${body.access_token}` },
  });
  expect([me.status, me.body.id]).toEqual([200, userId]);
});

test("a code is exchanged with the client in the header (O37)", async () => {
  const { form, app } = await auth.createGrant();
  const { status, body } = await auth.token(without(form, "client_id", "client_secret"), {
    headers: basicOf(app),
  });
  expect([status, await auth.me(body.access_token)]).toEqual([200, 200]);
});

test("a code exchanged again revokes the first exchange's tokens (O38)", async () => {
  const { form, app, tokens } = await auth.signedIn();
  expect(await auth.me(tokens.access_token)).toBe(200);
  expectError(await auth.token(form), 400, "invalid_grant");
  expect(await auth.me(tokens.access_token)).toBe(401);
  expectError(await auth.refresh(app, tokens.refresh_token), 400, "invalid_grant");
  expectError(await auth.token(form), 400, "invalid_grant");
});

test("a replayed code also revokes tokens refreshed since (O38)", async () => {
  const { form, app, tokens } = await auth.signedIn();
  const later = (await auth.refresh(app, tokens.refresh_token)).body;
  expectError(await auth.token(form), 400, "invalid_grant");
  expect(await auth.me(later.access_token)).toBe(401);
  expectError(await auth.refresh(app, later.refresh_token), 400, "invalid_grant");
});

test("a replay without valid credentials revokes nothing (O39)", async () => {
  const { form, app, tokens } = await auth.signedIn();
  const other = await auth.createApp();
  const replays: [number, string, Record<string, string>][] = [
    [400, "invalid_grant", { ...form, code_verifier: "w".repeat(43) }],
    [400, "invalid_grant", without(form, "code_verifier")],
    [400, "invalid_grant", { ...form, redirect_uri: `${CALLBACK}2` }],
    [401, "invalid_client", { ...form, client_secret: "wrong" }],
    [400, "invalid_grant", { ...form, client_id: other.client_id, client_secret: other.client_secret }],
  ];
  for (const [status, error, replay] of replays) expectError(await auth.token(replay), status, error);
  expect(await auth.me(tokens.access_token)).toBe(200);
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);
});

test("one of twenty concurrent exchanges wins and keeps its tokens (O40)", async () => {
  for (let round = 0; round < repeats(3, 10); round++) {
    const { form, app } = await auth.createGrant();
    const answers = await atOnce(20, (asked) => auth.token(form, asked));
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(400)]);
    for (const answer of answers) if (answer.status === 400) expectError(answer, 400, "invalid_grant");
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(await auth.me(won?.access_token ?? "")).toBe(200);
    expect((await auth.refresh(app, won?.refresh_token ?? "")).status).toBe(200);
  }
});

describe("the verifier (O41)", () => {
  test("is required and must match the challenge, and a wrong one does not consume the code", async () => {
    const { form, verifier } = await auth.createGrant();
    const wrong = [without(form, "code_verifier"), { ...form, code_verifier: "" }];
    const others = [randomBytes(32).toString("base64url"), verifier.slice(0, 42)];
    for (const code_verifier of others) wrong.push({ ...form, code_verifier });
    for (const each of wrong) expectError(await auth.token(each), 400, "invalid_grant");
    expect((await auth.token(form)).status).toBe(200);
  });

  test.for<[string, string, (verifier: string) => string]>([
    ["of 42 characters", "v".repeat(42), (verifier) => s256(verifier)],
    ["of 129 characters", "v".repeat(129), (verifier) => s256(verifier)],
    ["with a space", `${"v".repeat(42)} `, (verifier) => s256(verifier)],
    ["with a plus", `${"v".repeat(42)}+`, (verifier) => s256(verifier)],
    ["that is the challenge itself", "v".repeat(43), (verifier) => verifier],
  ])("that is %s is refused, even if it matches the challenge", async ([, verifier, challengeOf]) => {
    const [app, user] = await Promise.all([auth.createApp(), auth.createUser()]);
    const code = await auth.createCode(app, user, { challenge: challengeOf(verifier) });
    const form = { code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { client_id, client_secret } = app;
    expectError(
      await auth.token({ grant_type: "authorization_code", client_id, client_secret, ...form }),
      400,
      "invalid_grant",
    );
  });

  test("is accepted with 43 to 128 characters of the whole alphabet", async () => {
    const [app, user] = await Promise.all([auth.createApp(), auth.createUser()]);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (const code_verifier of [alphabet.slice(-43), alphabet.repeat(2).slice(0, 128)]) {
      const code = await auth.createCode(app, user, { challenge: s256(code_verifier) });
      const { client_id, client_secret } = app;
      const form = { grant_type: "authorization_code", client_id, client_secret, code, code_verifier };
      expect((await auth.token({ ...form, redirect_uri: CALLBACK })).status).toBe(200);
    }
  });
});

test("five wrong verifiers void the code, in sequence or at once (O42)", async () => {
  const grants = await times(2, () => auth.createGrant());
  const guess = (form: Record<string, string>) =>
    auth.token({ ...form, code_verifier: randomBytes(32).toString("base64url") });
  for (let guesses = 0; guesses < 6; guesses++)
    expectError(await guess(grants[0]?.form ?? {}), 400, "invalid_grant");
  await times(6, () => guess(grants[1]?.form ?? {}));
  for (const { form } of grants) expectError(await auth.token(form), 400, "invalid_grant");
});

test("the redirect URI is compared byte for byte, and a wrong one does not consume the code (O43)", async () => {
  const { form } = await auth.createGrant();
  const wrong: Record<string, string>[] = [without(form, "redirect_uri")];
  for (const redirect_uri of [`${CALLBACK}2`, `${CALLBACK}/`, "HTTP://127.0.0.1/cb"])
    wrong.push({ ...form, redirect_uri });
  for (const each of wrong) expectError(await auth.token(each), 400, "invalid_grant");
  expect((await auth.token(form)).status).toBe(200);
});

test("another app cannot redeem the code, and its own app still can (O44)", async () => {
  const { form } = await auth.createGrant();
  const { client_id, client_secret } = await auth.createApp();
  for (let tries = 0; tries < 6; tries++)
    expectError(await auth.token({ ...form, client_id, client_secret }), 400, "invalid_grant");
  expect((await auth.token(form)).status).toBe(200);
});

test("a code lasts a minute (O45)", async () => {
  const { form, code } = await auth.createGrant();
  const age = (seconds: number) =>
    auth.sql(
      `update authorization_codes set created_at = now() - make_interval(secs => $2),
       expires_at = now() + interval '1 minute' - make_interval(secs => $2) where hash = $1`,
      [hashSecret(code), seconds],
    );
  await age(61);
  expectError(await auth.token(form), 400, "invalid_grant");
  await age(55);
  expect((await auth.token(form)).status).toBe(200);
});

test("a malformed code is refused like an unknown one (O46)", async () => {
  const { form } = await auth.createGrant();
  const asking = (code: string) => auth.token({ ...form, code });
  expectError(await asking(`ac_${randomBytes(32).toString("base64url")}`), 400, "invalid_grant");
  expectError(await asking("x".repeat(10_240)), 400, "invalid_grant");
  expectError(await asking(""), 400, "invalid_request");
  expectError(await auth.token(without(form, "code")), 400, "invalid_request");
  expectError(await asking("ac_\0"), 400, "invalid_request");
  expectError(await asking("' or 1=1 --"), 400, "invalid_grant");
  expectError(await asking("\u202e\ud83d\ude00"), 400, "invalid_grant");
});

test("a verifier for a code without a challenge is refused (O47)", async () => {
  const { form, app, userId } = await auth.createGrant();
  const code = await auth.createCode(app, userId);
  expectError(await auth.token({ ...form, code }), 400, "invalid_request");
  expect((await auth.token({ ...without(form, "code_verifier"), code })).status).toBe(200);
});

test.for([
  ["the user was disabled", "update users set disabled_at = now() where id = $1"],
  ["the user was deleted", "delete from users where id = $1"],
  ["the browser signed out", "update site_sessions set revoked_at = now() where user_id = $1"],
  ["the browser's session was deleted", "delete from site_sessions where user_id = $1"],
])("the code is void after %s (O48)", async ([, change]) => {
  const { form, userId } = await auth.createGrant();
  await auth.sql(change ?? "", [userId]);
  expectError(await auth.token(form), 400, "invalid_grant");
});

test("after a rotation the new secret works, and the old one until its overlap ends (O49)", async () => {
  const { app, userId } = await auth.createGrant();
  const secret = randomBytes(32).toString("base64url");
  await auth.sql(
    `update apps set previous_secret_hash = secret_hash, previous_secret_expires_at = now() + interval '7 days',
     secret_hash = $2 where id = $1`,
    [app.id, hashSecret(secret)],
  );
  const rotated = { ...app, client_secret: secret };
  for (const known of [app, rotated]) expect((await auth.ownToken(known)).status).toBe(200);
  const { form } = await auth.createGrant(app, userId);
  await auth.sql("update apps set previous_secret_expires_at = now() where id = $1", [app.id]);
  expectError(await auth.token(form), 401, "invalid_client");
  expect((await auth.token({ ...form, client_secret: secret })).status).toBe(200);
});

test("a refused exchange says what to send instead, and its link explains it", async () => {
  const { form } = await auth.createGrant();
  const spent = await auth.signedIn();
  const other = await auth.createApp();
  const { client_id, client_secret } = other;
  const refused: [Record<string, string>, string, RegExp][] = [
    [without(form, "code_verifier"), "missing-code-verifier", /PKCE/],
    [{ ...form, code_verifier: "w".repeat(43) }, "wrong-code-verifier", /the verifier itself/],
    [{ ...form, redirect_uri: `${CALLBACK}/` }, "wrong-redirect-uri", /the same text/],
    [{ ...form, client_id, client_secret }, "invalid-grant", /not one of this app's/],
    [spent.form, "used-code", /works once/],
    [{ ...form, grant_type: "password" }, "unsupported-grant-type", /authorization_code \(with PKCE/],
    [without(form, "client_secret"), "missing-client-credentials", /client_secret/],
  ];
  for (const [sent, type, says] of refused) {
    const { body } = await auth.token(sent);
    expect(body).toMatchObject({
      error_description: expect.stringMatching(says),
      link: `${stack.urls.api}/docs/errors#${type}`,
    });
  }
});
