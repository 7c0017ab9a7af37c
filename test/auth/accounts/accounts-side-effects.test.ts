import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { openDatabase } from "../../../db/client.ts";
import { settleDelivery } from "../../../db/queries/webhook-deliveries.ts";
import { api } from "../../support/api.ts";
import {
  Browser,
  createConfirmedMember,
  createMember,
  hiddenFields,
  linkIn,
  mailsTo,
  mailTo,
  PASSWORD,
  requestEmailChange,
  signIn,
  uniqueName,
} from "../../support/browser.ts";
import { auth, randomAddress } from "../../support/oauth.ts";
import { operate } from "../../support/operate.ts";
import { createApp, createUser, createUserWithPassword } from "../../support/people.ts";
import { repeats } from "../../support/repeats.ts";
import { changeTable, sql, stack } from "../../support/stack.ts";

/** Each test combines two features of accounts. */

const NEW_PASSWORD = "another horse battery";

const changePassword = (browser: Browser) =>
  browser.submit("/settings", "/settings/password", {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  });

const siteToken = async (browser: Browser) =>
  (JSON.parse((await browser.get("/session/token")).html) as { access_token: string }).access_token;

test("an exhausted sign-in limit does not reveal a profile's address (X71)", async () => {
  const [victim, other] = [await createUserWithPassword(), await createUserWithPassword()];
  const stranger = new Browser();
  for (let guesses = 0; guesses < 5; guesses++)
    expect((await signIn(stranger, victim.username, "a wrong guess")).status).toBe(422);
  expect((await signIn(stranger, victim.username, "a wrong guess")).status).toBe(429);
  for (const { username } of [victim, other])
    expect((await signIn(stranger, `${username}@example.com`, "a wrong guess")).status).toBe(422);
});

test("the browser that resets the password can sign in while others keep guessing", async () => {
  const { email } = await createConfirmedMember();
  const browser = new Browser();
  await browser.submit("/forgot", "/forgot", { email });
  const link = linkIn(await mailTo(email, "Choose a new password"));
  expect((await browser.submit(link, "/reset", { password: NEW_PASSWORD })).status).toBe(303);
  await Promise.all(Array.from({ length: 12 }, () => signIn(new Browser(), email, "a wrong guess")));
  expect((await signIn(browser, email, NEW_PASSWORD)).status).toBe(303);
});

test("a refused change of address keeps the pending one", async () => {
  const member = await createConfirmedMember();
  const { changed, confirm } = await requestEmailChange(member);
  for (let mails = 0; mails < 4; mails++) await member.browser.submit("/settings", "/settings/confirmation");
  const fields = { email: `${uniqueName()}@example.com`, current_password: PASSWORD };
  expect((await member.browser.submit("/settings", "/settings/email", fields)).status).toBe(429);
  expect((await new Browser().submit(confirm, "/confirm")).status).toBe(200);
  expect((await signIn(new Browser(), changed)).status).toBe(303);
});

test("sign-ups with another person's address send at most five notices and five reset mails an hour", async () => {
  const { browser, email, id } = await createMember();
  let current_password = PASSWORD;
  for (let times = 0; times < 7; times++) {
    const fields = { current_password, new_password: `horse battery ${times}` };
    expect((await browser.submit("/settings", "/settings/password", fields)).status).toBe(303);
    current_password = fields.new_password;
    await new Browser().submit("/forgot", "/forgot", { email });
  }
  await expect.poll(() => sql("select 1 from mails where user_id = $1", [id])).toEqual([]);
  const notices = (await mailsTo(email)).filter(({ subject }) => subject === "Your password was changed");
  expect(notices).toHaveLength(5);
  // A mail whose link ended first is not sent, so the links are counted.
  const resets = "select 1 from mail_tokens where user_id = $1 and purpose = 'reset'";
  expect(await sql(resets, [id])).toHaveLength(5);
});

test("the browser that changes the password stays signed in to the site too", async () => {
  const { browser, email } = await createConfirmedMember();
  const elsewhere = new Browser();
  await signIn(elsewhere, email);
  for (const each of [browser, elsewhere]) await each.enterSite();
  const [own, other] = [await siteToken(browser), await siteToken(elsewhere)];
  const changed = await changePassword(browser);
  expect(changed.status).toBe(303);
  expect(new URL(changed.headers.location ?? "").pathname).toBe("/session/new");
  await browser.enterSite();
  expect((await browser.get("/you/tracks")).status).toBe(200);
  expect((await elsewhere.get("/you/tracks")).status).toBe(303);
  for (const token of [own, other]) expect((await api.as({ token }).get("/me")).status).toBe(401);
});

test("a new password ends a copy of the cookies of the browser that sets it", async () => {
  const { browser } = await createConfirmedMember();
  await browser.enterSite();
  const thief = new Browser();
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  expect((await thief.get("/settings")).status).toBe(200);
  await changePassword(browser);
  expect((await browser.get("/settings")).status).toBe(200);
  expect((await thief.get("/settings")).headers.location).toMatch(/^\/signin/);
  expect((await thief.get("/you/tracks")).status).toBe(303);
});

/** The backend that waits for a lock of `pid`, once there is one. */
async function waiterFor(pid: number | undefined): Promise<number | undefined> {
  const waiting = "select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  let found: { pid: number }[] = [];
  await expect.poll(async () => (found = await sql<{ pid: number }>(waiting, [pid]))).toHaveLength(1);
  return found[0]?.pid;
}

test("a webhook that is switched on during a change of password ends with it", async () => {
  const { browser, id, email } = await createConfirmedMember();
  const app = await createApp();
  await sql("insert into consents (user_id, app_id) values ($1, $2)", [id, app.id]);
  const stranger = new Browser();
  await signIn(stranger, email);
  await stranger.enterSite();
  const token = await siteToken(stranger);
  const json = { url: `https://${uniqueName()}.example/`, events: ["follow.created"] };
  const { body } = await api.as({ token }).post<{ id: number }>("/me/webhooks", { json });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  // Blocks the change after it has ended the webhooks.
  await client.query("begin");
  const lock = "select pg_backend_pid() as pid from consents where user_id = $1 for update";
  const { rows } = await client.query<{ pid: number }>(lock, [id]);
  const changing = changePassword(browser);
  const changer = await waiterFor(rows[0]?.pid);
  const enabling = api.as({ token }).put(`/me/webhooks/${body.id}`, { json: { enabled: true } });
  await waiterFor(changer);
  await client.query("commit");
  await client.end();
  expect([(await changing).status, (await enabling).status]).toEqual([303, 401]);
  expect(await sql("select enabled, disabled_reason from webhooks where id = $1", [body.id])).toEqual([
    { enabled: false, disabled_reason: "access_ended" },
  ]);
});

test("an app that redeems a code while the user disconnects it keeps no access", async () => {
  const { browser, id } = await createConfirmedMember();
  const app = await auth.createApp();
  const action = `/settings/apps/${app.id}/revoke`;
  const soon = () => new Promise((wake) => setTimeout(wake, Math.random() * 4));
  for (let round = 0; round < repeats(30, 300); round++) {
    await sql("insert into consents (user_id, app_id) values ($1, $2)", [id, app.id]);
    const fields = hiddenFields((await browser.get("/settings")).html, action);
    const { form } = await auth.createGrant(app, id);
    await Promise.all([soon().then(() => browser.post(action, fields)), soon().then(() => auth.token(form))]);
    const live = "select 1 from sessions where user_id = $1 and app_id = $2 and revoked_at is null";
    expect(await sql(live, [id, app.id])).toEqual([]);
  }
});

test("a deleted app does not give its address another thirty tokens", async () => {
  const address = randomAddress();
  const developer = await createUser({ plan: "artist" });
  const granted: number[] = [];
  for (let round = 0; round < 2; round++) {
    const json = { name: `App ${uniqueName()}`, redirect_uris: ["https://app.example/cb"] };
    const { body } = await api
      .as(developer)
      .post<{ id: number; client_id: string; client_secret: string }>("/me/apps", { json });
    const replies = await Promise.all(Array.from({ length: 31 }, () => auth.ownToken(body, { address })));
    granted.push(replies.filter(({ status }) => status === 200).length);
    expect((await api.as(developer).delete(`/me/apps/${body.id}`)).status).toBe(200);
  }
  expect(granted).toEqual([30, 0]);
});

test("a deleted user's address is removed from their reports, which the export contains (X103)", async () => {
  const { browser, id, email } = await createConfirmedMember();
  await browser.enterSite();
  const report = { url: `${stack.urls.web}/`, reason: "other", details: `Words of ${email}`, email };
  expect((await browser.submit("/report", "/report", report)).status).toBe(303);
  const { reports } = JSON.parse((await browser.submit("/settings", "/settings/export")).html);
  expect(reports).toMatchObject([{ ...report, state: "open" }]);
  await sql("update reports set details = 'x' where reporter_id = $1", [id]);
  await browser.submit("/settings", "/settings/delete", { current_password: PASSWORD });
  expect(await sql("select 1 from reports where email = $1", [email])).toEqual([]);
});

test("statements that end a webhook have a longer timeout: it may have a million pending deliveries", async () => {
  const [changing, forgetful, revoking, ending] = await Promise.all([1, 2, 3, 4].map(createMember));
  const [disabling, deleting, signedOut, gone] = await Promise.all([1, 2, 3, 4].map(() => createUser()));
  if (!changing || !forgetful || !revoking || !ending || !disabling || !deleting || !signedOut || !gone)
    expect.unreachable();
  const owners = [changing, forgetful, revoking, ending, disabling, deleting, signedOut, gone].map(
    ({ id }) => id,
  );
  const { app } = disabling;
  const hooks = await sql<{ id: number }>(
    `insert into webhooks (user_id, app_id, url, target_hash, target_host, events, secret_sealed)
     select id, $2, 'https://app.example/', '', 'app.example', '{}', '' from unnest($1::bigint[]) with ordinality u (id, place)
     order by place returning id::float8 as id`,
    [owners, app.id],
  );
  const attempt = randomUUID();
  const [delivery] = await sql<{ id: number }>(
    `insert into webhook_deliveries (webhook_id, event, data, tries, attempt, next_attempt_at)
     values ($1, 'webhook.test', '{}', 1, $2, now() + interval '1 hour') returning id::float8 as id`,
    [hooks[7]?.id, attempt],
  );
  const refused = { at: "2026-01-01T00:00:00Z", duration_ms: 1, response_code: 410, failure: "Gone" };
  const { appDatabaseUrl, proxyUrl } = stack;
  const db = openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
  const path = (place: number) => `/me/webhooks/${hooks[place]?.id}`;
  await sql("insert into consents (user_id, app_id) values ($1, $2)", [revoking.id, app.id]);
  await forgetful.browser.submit("/forgot", "/forgot", { email: forgetful.email });
  const link = linkIn(await mailTo(forgetful.email, "Choose a new password"));
  const step = `test_slow_${hooks[0]?.id}`;
  await changeTable(
    `create function ${step}() returns trigger language plpgsql as $$
     begin perform pg_sleep(5.5); return case tg_op when 'DELETE' then old else new end; end $$;
     create trigger ${step} before delete or update of enabled on webhooks for each row
     when (old.user_id in (${owners.join()})) execute function ${step}()`,
  );
  const submit = ({ browser }: typeof revoking, action: string) => browser.submit("/settings", action);
  try {
    const ends = await Promise.all([
      changePassword(changing.browser),
      forgetful.browser.submit(link, "/reset", { password: NEW_PASSWORD }),
      submit(revoking, `/settings/apps/${app.id}/revoke`),
      submit(ending, `/settings/webhooks/${hooks[3]?.id}/end`),
      api.as(disabling).put(path(4), { json: { enabled: false } }),
      api.as(deleting).delete(path(5)),
      operate("user sign-out", "--username", signedOut.username).then(() => ({ status: 200 })),
      settleDelivery(db, delivery?.id ?? 0, attempt, refused).then(() => ({ status: 200 })),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([303, 303, 303, 303, 200, 200, 200, 200]);
    expect(await sql("select from webhooks where enabled and user_id = any ($1)", [owners])).toEqual([]);
  } finally {
    await changeTable(`drop function ${step}() cascade`);
  }
});
