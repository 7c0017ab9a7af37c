import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import {
  authorizePath,
  CHALLENGE,
  type ClientApp,
  type ConsentBrowser,
  createClientApp,
  createVisitor,
} from "../../support/consent.ts";
import { auth, expectError } from "../../support/oauth.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUserWithPassword } from "../../support/people.ts";
import { token as olderToken } from "../older/older-tokens.ts";

/** The site requests a code that continues the sign-in there. */
const SITE_CODE = `/session/code?${new URLSearchParams({ state: "st", challenge: CHALLENGE })}`;

/** A deletion that has locked the app, and the rest of it. */
const deletingApp = (id: number) =>
  [
    "select from apps where id = $1 for update",
    [id],
    ["delete from apps where id = $1", [id]] as [string, unknown[]],
  ] as const;

test("401: an app deleted during its client_credentials request is unknown", async () => {
  const app = await auth.createApp();
  const [statement, values, next] = deletingApp(app.id);
  expectError(await askDuring(statement, [...values], () => auth.ownToken(app), next), 401, "invalid_client");
});

test("401: an app deleted during a code exchange is unknown, and the deletion does not block", async () => {
  const { app, form } = await auth.createGrant();
  const [statement, values, next] = deletingApp(app.id);
  expectError(await askDuring(statement, [...values], () => auth.token(form), next), 401, "invalid_client");
});

test("an app is deleted while one of its codes is replayed, and the replay does not block", async () => {
  const app = await auth.createApp();
  const [{ owner = 0 } = {}] = await auth.sql<{ owner: number }>(
    "select owner_id::float8 as owner from apps where id = $1",
    [app.id],
  );
  const { form } = await auth.createGrant(app, owner);
  const token = (await auth.token(form)).body.access_token;
  const { status } = await askDuring(
    "select from authorization_codes where app_id = $1 for update",
    [app.id],
    () => api.as({ token }).delete(`/me/apps/${app.id}`),
    ["update sessions set revoked_at = now() where app_id = $1", [app.id]],
  );
  expect(status).toBe(200);
});

test("a refresh token whose session is deleted during its use is unknown, and the deletion does not block", async () => {
  const { app, tokens } = await auth.signedIn();
  const locking = "select from sessions where app_id = $1 for update";
  const gone: [string, unknown[]] = ["delete from sessions where app_id = $1", [app.id]];
  const reply = await askDuring(locking, [app.id], () => auth.refresh(app, tokens.refresh_token), gone);
  expectError(reply, 400, "invalid_grant");
});

test.each([
  ["allowing an app", 403, (app: ClientApp, browser: ConsentBrowser) => browser.form(authorizePath(app))],
  [
    "getting a token for the docs",
    303,
    (_app: ClientApp, browser: ConsentBrowser) => browser.form("/you/token"),
  ],
  ["opening the site", 303, () => undefined],
])(
  "a user who is suspended while %s is signed out, and the suspension waits for nothing",
  async (_what, status, show) => {
    const [app, { user, browser }] = [await createClientApp(), await createVisitor()];
    const form = await show(app, browser);
    const reply = await askDuring(
      "update users set disabled_at = now() where id = $1",
      [user.id],
      () => (form ? browser.submit(form, { decision: "approve" }) : browser.get(SITE_CODE)),
      ["update site_sessions set revoked_at = now() where user_id = $1", [user.id]],
    );
    expect([reply.status, reply.parameters.has("code")]).toEqual([status, false]);
  },
);

test("an app that is deleted while a user allows it gets no code", async () => {
  const [app, { browser }] = [await createClientApp(), await createVisitor()];
  const form = await browser.form(authorizePath(app));
  const [statement, values, next] = deletingApp(app.id);
  const allow = () => browser.submit(form, { decision: "approve" });
  const reply = await askDuring(statement, [...values], allow, next);
  expect([reply.status, reply.location]).toEqual([400, null]);
});

test("an app deleted during a password grant gets no token", async () => {
  const [app, ana] = [await createClientApp(), await createUserWithPassword()];
  const [statement, values, next] = deletingApp(app.id);
  const form = { grant_type: "password", username: ana.username, password: "correct horse battery" };
  const reply = await askDuring(statement, [...values], () => olderToken(app, form), next);
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_grant"]);
});
