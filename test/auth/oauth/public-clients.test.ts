import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../functions/lib/security/random.ts";
import {
  type App,
  atOnce,
  auth,
  basic,
  CALLBACK,
  expectError,
  randomAddress,
  statuses,
} from "../../support/oauth.ts";
import { sql } from "../../support/stack.ts";

const asking = (form: Record<string, string>, headers = {}) =>
  auth.token(form, { address: randomAddress(), headers });

const refreshing = ({ client_id }: App, refresh_token: string, more: Record<string, string> = {}) => ({
  grant_type: "refresh_token",
  client_id,
  refresh_token,
  ...more,
});

/** A code of a public app, and the form that redeems it. */
async function createGrant() {
  const app = await auth.createPublicApp();
  const { form, ...grant } = await auth.createGrant(app);
  const { client_secret: _none, ...own } = form;
  return { ...grant, app, form: own };
}

async function signedIn() {
  const grant = await createGrant();
  const { status, body, text } = await auth.token(grant.form);
  if (status !== 200) throw new Error(text);
  return { ...grant, tokens: body };
}

test("a public app exchanges a code by its id alone, and the tokens are like any other's", async () => {
  const { app, userId, tokens } = await signedIn();
  expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "" });
  expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: `u:${userId}`, client_id: app.client_id });
  expect(await auth.me(tokens.access_token)).toBe(200);
});

test("an empty secret counts as none, RFC 6749 §3.2", async () => {
  const { form } = await createGrant();
  expect((await auth.token({ ...form, client_secret: "" })).status).toBe(200);
});

test("401: a public app that sends a secret, in the form or the header, and its code stays", async () => {
  const { app, form } = await createGrant();
  const { client_id: _id, ...rest } = form;
  for (const secret of ["x", "null", "undefined"]) {
    expectError(await asking({ ...form, client_secret: secret }), 401, "invalid_client");
    expectError(await asking(rest, basic(app.client_id, secret)), 401, "invalid_client");
  }
  expectError(await asking(rest, basic(app.client_id, "")), 401, "invalid_client");
  expect((await auth.token(form)).status).toBe(200);
});

test("401: the id alone is no way in for a confidential, a disabled, an unknown or the site's own app", async () => {
  const { app, form } = await auth.createGrant();
  const { client_secret: _left, ...alone } = form;
  const refused = await asking(alone);
  expectError(refused, 401, "invalid_client");
  expect((refused.body as { link?: string }).link).toMatch(/#missing-client-credentials$/);
  for (const client_id of ["nobody", "site", "docs"])
    expectError(await asking({ ...alone, client_id }), 401, "invalid_client");
  expect((await auth.token(form)).status, app.client_id).toBe(200);
  const open = await createGrant();
  await auth.sql("update apps set disabled_at = now() where id = $1", [open.app.id]);
  expectError(await asking(open.form), 401, "invalid_client");
});

test("PKCE is mandatory: no verifier, a wrong one or plain is refused, and five wrong ones void the code", async () => {
  const { form } = await createGrant();
  const { code_verifier: verifier, ...without } = form;
  expectError(await auth.token(without), 400, "invalid_grant");
  for (const wrong of ["short", `${verifier}x`, verifier.toUpperCase()])
    expectError(await auth.token({ ...form, code_verifier: wrong }), 400, "invalid_grant");
  expect((await auth.token(form)).status).toBe(200);
  const other = await createGrant();
  for (let tries = 0; tries < 5; tries++)
    expectError(await auth.token({ ...other.form, code_verifier: verifier }), 400, "invalid_grant");
  expectError(await auth.token(other.form), 400, "invalid_grant");
});

test("a code without a challenge, which no page gives out, is worth nothing to a public app", async () => {
  const { form } = await createGrant();
  const { code_verifier: _none, ...rest } = form;
  const hash = hashSecret(form.code);
  await sql("update authorization_codes set code_challenge = null where hash = $1", [hash]);
  expectError(await asking(rest), 400, "invalid_grant");
});

test("a code or refresh token works for its own app alone", async () => {
  const [mine, other] = await Promise.all([signedIn(), createGrant()]);
  const confidential = await auth.createApp();
  expectError(await asking({ ...other.form, client_id: mine.app.client_id }), 400, "invalid_grant");
  expectError(await asking(refreshing(other.app, mine.tokens.refresh_token)), 400, "invalid_grant");
  expectError(await auth.refresh(confidential, mine.tokens.refresh_token), 400, "invalid_grant");
  expect((await auth.token(other.form)).status).toBe(200);
  expect((await asking(refreshing(mine.app, mine.tokens.refresh_token))).status).toBe(200);
});

describe("refresh tokens of public apps rotate, RFC 9700 §4.14", () => {
  test("each works once, and a reuse ends the family", async () => {
    const { app, tokens } = await signedIn();
    const next = await asking(refreshing(app, tokens.refresh_token));
    expect(next.status).toBe(200);
    expect(next.body.refresh_token).not.toBe(tokens.refresh_token);
    expectError(await asking(refreshing(app, tokens.refresh_token)), 400, "invalid_grant");
    expect(await auth.me(next.body.access_token)).toBe(401);
    expectError(await asking(refreshing(app, next.body.refresh_token)), 400, "invalid_grant");
  });

  test("of a race, one wins and keeps its tokens", async () => {
    const { app, tokens } = await signedIn();
    const answers = await atOnce(6, (asked) => auth.token(refreshing(app, tokens.refresh_token), asked));
    expect(statuses(answers)).toEqual([200, 400, 400, 400, 400, 400]);
    const won = answers.find(({ status }) => status === 200);
    expect(await auth.me(won?.body.access_token ?? "")).toBe(200);
  });

  test("a lost reply comes back under its Idempotency-Key, for this app alone", async () => {
    const { app, tokens } = await signedIn();
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await asking(refreshing(app, tokens.refresh_token), key);
    const again = await asking(refreshing(app, tokens.refresh_token), key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await auth.createPublicApp();
    expectError(await asking(refreshing(other, tokens.refresh_token), key), 400, "invalid_grant");
    expect(await auth.me(first.body.access_token)).toBe(200);
  });
});

test("a public app gets no token of its own, and nothing is counted (O62)", async () => {
  const { client_id } = await auth.createPublicApp();
  expectError(await asking({ grant_type: "client_credentials", client_id }), 400, "unauthorized_client");
  const header = basic(client_id, "x");
  expectError(await asking({ grant_type: "client_credentials" }, header), 401, "invalid_client");
  for (const grant_type of ["password", "implicit"])
    expectError(await asking({ grant_type, client_id }), 400, "unsupported_grant_type");
  const counted =
    "select from client_credentials_grants g join apps a on a.id = g.app_id where client_id = $1";
  expect(await auth.sql(counted, [client_id])).toEqual([]);
});

test("the older token endpoint refuses public apps, whatever the grant", async () => {
  const { form, tokens, app } = await signedIn();
  const open = await createGrant();
  const grants: Record<string, string>[] = [
    open.form,
    refreshing(app, tokens.refresh_token),
    { grant_type: "client_credentials", client_id: app.client_id },
    { grant_type: "password", client_id: app.client_id, username: "ana", password: "secret" },
  ];
  for (const sent of grants) {
    for (const client_secret of ["", "x"]) {
      const { status, body } = await auth.send<{ error?: string }>("/oauth2/token", {
        form: { ...sent, client_secret },
        address: randomAddress(),
      });
      expect([status, body.error]).toEqual([401, "invalid_client"]);
    }
  }
  expect(form.redirect_uri).toBe(CALLBACK);
  expect(await auth.me(tokens.access_token)).toBe(200);
});

test("a public app revokes its own tokens by its id, and others' stay", async () => {
  const [{ app, tokens }, other] = await Promise.all([signedIn(), signedIn()]);
  const revoke = (token: string) =>
    auth.send<object>("/oauth/revoke", {
      form: { client_id: app.client_id, token },
      address: randomAddress(),
    });
  expect((await revoke(other.tokens.refresh_token)).status).toBe(200);
  expect(await auth.me(other.tokens.access_token)).toBe(200);
  expect((await revoke(tokens.refresh_token)).status).toBe(200);
  expect(await auth.me(tokens.access_token)).toBe(401);
});

test("401: introspection needs a secret, which a public app does not have (O108)", async () => {
  const { app, tokens } = await signedIn();
  const form = { token: tokens.access_token, client_id: app.client_id };
  for (const client_secret of ["", "x"])
    expectError(
      await auth.send("/oauth/introspect", { form: { ...form, client_secret }, address: randomAddress() }),
      401,
      "invalid_client",
    );
});

test("guessing ids of public apps meets the limit of failures", async () => {
  const address = randomAddress();
  const guess = () =>
    auth.token(refreshing({ id: 0, client_id: "guess", client_secret: "" }, "rt_x"), { address });
  for (let tries = 0; tries < 10; tries++) expectError(await guess(), 401, "invalid_client");
  expectError(await guess(), 429, "rate_limit_exceeded");
});

test("sign-out, deletion of the app and suspension of its owner or user end a public app's sessions", async () => {
  const ended = async (act: (grant: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>) => {
    const grant = await signedIn();
    await act(grant);
    const { status } = await asking(refreshing(grant.app, grant.tokens.refresh_token));
    return [await auth.me(grant.tokens.access_token), status];
  };
  expect(await ended(({ tokens }) => auth.signOut(tokens.access_token))).toEqual([401, 400]);
  expect(
    await ended(({ app }) =>
      auth.sql("select delete_app(owner_id, null, id) from apps where id = $1", [app.id]),
    ),
  ).toEqual([401, 401]);
  expect(
    await ended(({ userId }) => auth.sql("update users set disabled_at = now() where id = $1", [userId])),
  ).toEqual([401, 400]);
});
