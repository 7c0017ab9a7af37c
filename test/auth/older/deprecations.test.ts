import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../db/client.ts";
import { queueDeprecationMails } from "../../../db/queries/deprecations.ts";
import type { Notice } from "../../../db/schema/deprecations.ts";
import { DEPRECATIONS } from "../../../functions/lib/http/deprecations.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { deprecationCommands } from "../../../workers/admin/deprecation-commands.ts";
import { moderationCommands } from "../../../workers/admin/moderation-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { mailsTo, mailTo, sendMailsTo } from "../../support/browser.ts";
import { type ClientApp, createClientApp, signedInBrowser } from "../../support/consent.ts";
import { runCron, sql, stack } from "../../support/stack.ts";

const OLDER = "older-behaviour";
const SUBJECT = "Your app uses something that ends on 1 February 2028";

let app: ClientApp;

beforeAll(async () => {
  app = await createClientApp({ name: "Night Player" });
});

const emailOf = async ({ owner }: ClientApp): Promise<string> =>
  (await sql<{ email: string }>("select email from accounts where user_id = $1", [owner.id]))[0]?.email ?? "";

const usesOf = ({ id }: Pick<ClientApp, "id">) =>
  sql<{ deprecation: string; used_on: string }>(
    "select deprecation, used_on::text from deprecated_uses where app_id = $1",
    [id],
  );

const use = (of: ClientApp, daysAgo: number) =>
  sql(
    "insert into deprecated_uses (app_id, deprecation, used_on) values ($1, $2, now() - make_interval(days => $3))",
    [of.id, OLDER, daysAgo],
  );

/** The cron, which other tests run too, then sends no first mail. */
const hasHeard = (of: ClientApp) =>
  sql("insert into deprecation_notices (app_id, deprecation, notice) values ($1, $2, 'announced')", [
    of.id,
    OLDER,
  ]);

const today = () => new Date().toISOString().slice(0, 10);
const ask = (path: string, init: RequestInit = {}) =>
  fetch(stack.urls.api + path, { redirect: "manual", ...init });

/** Mails of this kind that wait or were sent. */
const noticesOf = async ({ id }: ClientApp) =>
  (
    await sql<{ notice: string }>("select notice from deprecation_notices where app_id = $1 order by 1", [id])
  ).map(({ notice }) => notice);

const db = () => {
  const { appDatabaseUrl, proxyUrl } = stack;
  return openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
};
const queue = (notice: Notice) => queueDeprecationMails(db(), { deprecation: OLDER, notice }, 1_000);

test("an app that uses older behaviour is noted with the day alone, and its owner gets one mail and sees it", async () => {
  // A later use takes the place of an earlier one.
  await use(app, 3);
  expect((await ask(`/tracks?client_id=${app.client_id}`)).status).toBe(200);
  await expect.poll(() => usesOf(app)).toEqual([{ deprecation: OLDER, used_on: today() }]);
  await runCron("*/5 * * * *");
  await runCron("*/5 * * * *");
  const email = await emailOf(app);
  await sendMailsTo(email);
  const { text } = await mailTo(email, SUBJECT);
  expect(text).toContain("Night Player");
  expect(text).toContain(`${stack.urls.api}/docs/older-clients`);
  expect((await mailsTo(email)).filter(({ subject }) => subject === SUBJECT)).toHaveLength(1);
  expect(await noticesOf(app)).toEqual(["announced"]);

  const page = (await (await signedInBrowser(app.owner)).get("/you/apps")).text;
  expect(page).toContain("It uses what ends on 1 February 2028");
  expect(page).toContain("Older credentials and endpoints");
});

test("the older token endpoint and the consent page note the app, and a refused request does not", async () => {
  const [granted, asked, refused] = await Promise.all([
    createClientApp(),
    createClientApp(),
    createClientApp(),
  ]);
  const { client_id, client_secret } = granted;
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  expect((await ask("/oauth2/token", { method: "POST", body })).status).toBe(200);
  const wrong = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: refused.client_id,
    client_secret: "x",
  });
  expect((await ask("/oauth2/token", { method: "POST", body: wrong })).status).toBe(401);
  const query = { client_id: asked.client_id, redirect_uri: asked.redirect_uri, response_type: "code" };
  const { status } = await (await signedInBrowser(asked.owner)).get(`/connect?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  await expect.poll(() => usesOf(granted)).toHaveLength(1);
  await expect.poll(() => usesOf(asked)).toHaveLength(1);
  expect(await usesOf(refused)).toEqual([]);
});

test("a request of today's kind, and an operation that stays, note nothing", async () => {
  const { owner } = app;
  const headers = { Authorization: `OAuth ${owner.token}` };
  for (const path of ["/me", "/me/favorites"]) expect((await ask(path, { headers })).status).toBe(200);
  expect(await usesOf(owner.app)).toEqual([]);
});

test("a month and a week before the end only owners of apps that used it lately hear of it, each once", async () => {
  const [recent, earlier] = await Promise.all([createClientApp(), createClientApp()]);
  await Promise.all([recent, earlier].map(hasHeard));
  await use(recent, 3);
  await use(earlier, 20);
  await Promise.all([queue("month"), queue("month"), queue("week")]);
  await queue("week");
  expect(await noticesOf(recent)).toEqual(["announced", "month", "week"]);
  expect(await noticesOf(earlier)).toEqual(["announced"]);
  const [{ mails = 0 } = {}] = await sql<{ mails: number }>(
    "select count(*)::int as mails from mails where user_id = $1 and kind = 'deprecation'",
    [recent.owner.id],
  );
  const sent = (await mailsTo(await emailOf(recent))).filter(({ subject }) => subject === SUBJECT).length;
  expect(mails + sent).toBe(2);
});

test("one mail to an owner names all apps that are due", async () => {
  const [first, second] = await Promise.all([
    createClientApp({ name: "Owl" }),
    createClientApp({ name: "Bat" }),
  ]);
  await sql("update apps set owner_id = $2 where id = $1", [second.id, first.owner.id]);
  await Promise.all([first, second].map(hasHeard));
  await Promise.all([first, second].map((of) => use(of, 1)));
  await Promise.all([queue("month"), queue("month")]);
  const email = await emailOf(first);
  await sendMailsTo(email);
  const { text } = await mailTo(email, "2 of your apps use something that ends on 1 February 2028");
  expect(text).toContain("“Bat”\n“Owl”");
  expect([await noticesOf(first), await noticesOf(second)]).toEqual([
    ["announced", "month"],
    ["announced", "month"],
  ]);
});

test("apps that begin on one day after their owner's mail wait for the next day's, which names them together", async () => {
  const [first, second, third] = await Promise.all(
    ["Wren", "Jay", "Kite"].map((name) => createClientApp({ name })),
  );
  if (!first || !second || !third) throw new Error("three apps");
  await sql("update apps set owner_id = $2 where id = any($1)", [[second.id, third.id], first.owner.id]);
  await Promise.all([first, second, third].map(hasHeard));
  for (const of of [first, second, third]) {
    await use(of, 0);
    await queue("month");
  }
  expect(await Promise.all([first, second, third].map(noticesOf))).toEqual([
    ["announced", "month"],
    ["announced"],
    ["announced"],
  ]);
  await sql("update deprecation_notices set queued_on = queued_on - 1 where app_id = $1", [first.id]);
  await queue("month");
  const email = await emailOf(first);
  await sendMailsTo(email);
  const { text } = await mailTo(email, "2 of your apps use something that ends on 1 February 2028");
  expect(text).toContain("“Jay”\n“Kite”");
  expect(text).not.toContain("Wren");
});

test("no mail goes to an owner who is suspended, leaves or has not confirmed the address", async () => {
  const owned = await Promise.all([createClientApp(), createClientApp()]);
  for (const of of owned) await use(of, 0);
  const [disabled, unconfirmed] = owned.map(({ owner }) => owner.id);
  await sql("update users set disabled_at = now() where id = $1", [disabled]);
  await sql("update accounts set awaits_confirmation = true, confirmed_at = null where user_id = $1", [
    unconfirmed,
  ]);
  await queue("announced");
  expect(await Promise.all(owned.map(noticesOf))).toEqual([[], []]);
});

test("operators list the apps that use what ends, when they did, and which mails their owners got", async () => {
  const [due, other] = await Promise.all([createClientApp({ isPublic: true }), createClientApp()]);
  await use(due, 0);
  await queue("announced");
  const list = (command: string, ...given: string[]) =>
    ({ ...deprecationCommands, ...moderationCommands })[command]?.(
      stackTarget(stack),
      readArguments([...command.split(" "), ...given]),
    );
  const listed = await list("deprecation list", "--before", String(due.id + 1), "--limit", "1");
  expect(listed?.deprecations).toContainEqual({ id: OLDER, title: expect.any(String), ends: "2028-02-01" });
  expect(listed?.apps).toEqual([
    {
      id: due.id,
      client_id: due.client_id,
      name: expect.any(String),
      owner: due.owner.username,
      uses: [{ deprecation: OLDER, used_on: today(), mails: ["announced"] }],
    },
  ]);
  const all = await list("deprecation list", "--before", String(other.id + 1), "--limit", "1000");
  expect(JSON.stringify(all?.apps)).not.toContain(other.client_id);
  const types = [due, other].map(async ({ client_id }) => {
    const { apps } = (await list("app find", "--words", client_id)) as { apps: { client_type: string }[] };
    return apps.map(({ client_type }) => client_type);
  });
  expect(await Promise.all(types)).toEqual([["public"], ["confidential"]]);
});

test("nobody hears of a suspended app, and a deleted one leaves nothing", async () => {
  const [suspended, deleted] = await Promise.all([createClientApp(), createClientApp()]);
  await use(suspended, 0);
  await use(deleted, 0);
  await sql("update apps set disabled_at = now() where id = $1", [suspended.id]);
  await queue("announced");
  expect(await noticesOf(suspended)).toEqual([]);
  expect(await noticesOf(deleted)).toEqual(["announced"]);
  await sql("delete from apps where id = $1", [deleted.id]);
  expect([await usesOf(deleted), await noticesOf(deleted)]).toEqual([[], []]);
});

test("a use is forgotten after 30 days", async () => {
  const [old, recent] = await Promise.all([createClientApp(), createClientApp()]);
  await use(old, 31);
  await use(recent, 29);
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return usesOf(old);
    })
    .toEqual([]);
  expect(await usesOf(recent)).toHaveLength(1);
});

test("the changelog, its feed and the reference announce each entry, and the document names its operations", async () => {
  const read = async (path: string) => (await ask(path)).text();
  const [page, markdown, feed] = await Promise.all(
    ["/docs/changelog", "/docs/changelog.md", "/docs/changelog.xml"].map(read),
  );
  for (const { id, title } of DEPRECATIONS) {
    expect(page).toContain(`id="deprecated-${id}"`);
    expect(markdown).toContain(`### ${title}`);
    expect(feed).toContain(`/docs/changelog#deprecated-${id}</id>`);
  }
  expect(markdown).toContain("It ends on 1 February 2028.");
  expect(await read("/docs/reference/oauth")).toContain("It ends on 1 February 2028.");
  expect(await read("/docs/reference/oauth.md")).toContain("It ends on 1 February 2028.");
  interface Operation {
    operationId: string;
    deprecated?: boolean;
    description?: string;
  }
  const { paths } = JSON.parse(await read("/openapi.json")) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operations: ids, text } of DEPRECATIONS)
    for (const id of ids) {
      const found = operations.find(({ operationId }) => operationId === id);
      expect([id, found?.deprecated]).toEqual([id, true]);
      expect(found?.description).toContain(text);
    }
});
