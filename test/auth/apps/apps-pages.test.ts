import { expect, test } from "vitest";
import { useOf } from "../../lib/http/budgets.support.ts";
import { ConsentBrowser, createVisitor, formsIn } from "../../support/consent.ts";
import { operate } from "../../support/operate.ts";
import { sql, stack } from "../../support/stack.ts";

const FIELDS = {
  name: "Page App",
  external_url: "",
  redirect_uris: "https://client.example/cb\r\ncom.example.app://cb\r\n",
};

const secretIn = (html: string) => /<code class="secret">(cs_[\w-]{43})<\/code>/.exec(html)?.[1] ?? "";
const clientIdIn = (html: string) => /<dt>Client id<\/dt><dd><code>([^<]+)/.exec(html)?.[1] ?? "";

const ownToken = (clientId: string, secret: string) =>
  fetch(`${stack.urls.api}/oauth/token`, {
    method: "POST",
    headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });

test("a signed-out user signs in first and returns", async () => {
  const reply = await new ConsentBrowser().get("/you/apps");
  expect([reply.status, reply.location]).toEqual([303, "/signin?next=%2Fyou%2Fapps"]);
});

test("a developer registers an app by a form, sees its secret once, renews it and deletes the app", async () => {
  const { browser } = await createVisitor("artist");
  const registered = await browser.submit(await browser.form("/you/apps"), FIELDS);
  expect(registered.status).toBe(200);
  expect(registered.headers.get("Cache-Control")).toBe("no-store");
  expect(registered.headers.get("X-Frame-Options")).toBe("DENY");
  const [clientId, first] = [clientIdIn(registered.text), secretIn(registered.text)];
  expect((await ownToken(clientId, first)).status).toBe(200);

  const listed = await browser.get("/you/apps");
  expect(listed.text).toContain("Page App");
  expect(listed.text).toContain("com.example.app://cb");
  expect(listed.text).not.toContain(first);
  const [, , rotate, remove] = formsIn(listed.text, `${stack.urls.api}/you/apps`);
  const renewed = await browser.submit(rotate ?? { action: "", fields: {} });
  const second = secretIn(renewed.text);
  expect(second).not.toBe(first);
  expect([(await ownToken(clientId, first)).status, (await ownToken(clientId, second)).status]).toEqual([
    200, 200,
  ]);
  const until = /is accepted until <time datetime="[^"]+Z" data-day[^>]*>\d+ \w+ \d{4}<.time>/;
  expect((await browser.get("/you/apps")).text).toMatch(until);

  const removed = await browser.submit(remove ?? { action: "", fields: {} });
  expect([removed.status, removed.location]).toEqual([303, "/you/apps"]);
  expect((await ownToken(clientId, second)).status).toBe(401);
  expect((await browser.get("/you/apps")).text).not.toContain("Page App");
});

test("an app that operators revoked says so, with what to do, and leads to no page of its own", async () => {
  const { user, browser } = await createVisitor("artist");
  await browser.submit(await browser.form("/you/apps"), FIELDS);
  const [app] = await sql<{ client_id: string; permalink: string }>(
    "select client_id, permalink from apps where owner_id = $1",
    [user.id],
  );
  const seen = async () => {
    const { text } = await browser.get("/you/apps");
    return [text.includes("The operators revoked this app"), text.includes(`/apps/${app?.permalink}"`)];
  };
  const act = (name: string, ...more: string[]) =>
    operate(`app ${name}`, "--app", app?.client_id ?? "", "--reason", "It spams", ...more);
  expect(await seen()).toEqual([false, true]);
  await act("revoke");
  expect(await seen()).toEqual([true, false]);
  expect((await browser.get("/you/apps")).text).toMatch(/Ask .*the operators.* for the reason/);
  await act("restore");
  expect(await seen()).toEqual([false, true]);
  await act("revoke", "--message", "Slow it down & write to us.");
  const { text } = await browser.get("/you/apps");
  expect(text).toContain("They say: “Slow it down &amp; write to us.”");
  expect([text.includes("It spams"), /Ask .*the operators.* for more/.test(text)]).toEqual([false, true]);
});

test("the form explains errors and keeps the entered values (O11)", async () => {
  const { browser } = await createVisitor("artist");
  const redirect_uris = "https://client.example/cb\njavascript:alert(1)//<b>";
  const reply = await browser.submit(await browser.form("/you/apps"), {
    ...FIELDS,
    name: " ",
    redirect_uris,
  });
  expect(reply.status).toBe(422);
  expect(reply.text).toContain("javascript:alert(1)//&lt;b&gt;: the scheme javascript: is not allowed");
  expect(reply.text).toContain("must not be empty");
  expect(reply.text).not.toContain("<b>");
});

test("403: the free plan has no form, and sending one is refused (X95)", async () => {
  const { user, browser } = await createVisitor("artist");
  const form = await browser.form("/you/apps");
  await sql("update users set plan = 'free' where id = $1", [user.id]);
  const page = await browser.get("/you/apps");
  expect(page.text).toContain("paid plan");
  expect(page.text.replace(/^.*<main/s, "").replace(/<\/main>.*$/s, "")).not.toContain("<form");
  const refused = await browser.submit(form, FIELDS);
  expect(refused.status).toBe(403);
  expect(refused.headers.get("Content-Type")).toMatch(/^text\/html/);
});

test("429: beyond the hourly budget the form registers nothing", async () => {
  const { user, browser } = await createVisitor("artist");
  await useOf(`app-registrations ${user.id} site`, 30);
  const refused = await browser.submit(await browser.form("/you/apps"), FIELDS);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("Too many app registrations: 30 an hour are allowed");
  expect(await sql("select from apps where owner_id = $1", [user.id])).toEqual([]);
});

test("a form of another page, session or app has no effect", async () => {
  const ana = (await createVisitor("artist")).browser;
  const ben = (await createVisitor("artist")).browser;
  await ana.submit(await ana.form("/you/apps"), FIELDS);
  const [register, rotate, remove] = formsIn((await ana.get("/you/apps")).text, `${stack.urls.api}/you/apps`);
  if (!register || !rotate || !remove) throw new Error("forms are missing");
  for (const refused of [
    await ana.post("/you/apps", FIELDS),
    await ana.post(remove.action, rotate.fields),
    await ana.post(register.action, { ...FIELDS, ...remove.fields }),
    await ben.submit(remove),
    await ana.submit(remove, {}, { Origin: "https://evil.example" }),
    await ana.submit(remove, {}, { "Sec-Fetch-Site": "cross-site" }),
  ])
    expect(refused.status).toBe(403);
  expect((await ana.get("/you/apps")).text).toContain("Page App");
});

test("a user signed out meanwhile is asked to sign in, and nothing happens", async () => {
  const { user, browser } = await createVisitor("artist");
  const form = await browser.form("/you/apps");
  await sql("update site_sessions set revoked_at = now() where user_id = $1", [user.id]);
  expect((await browser.submit(form, FIELDS)).location).toBe("/signin?next=%2Fyou%2Fapps");
  expect(await sql("select from apps where owner_id = $1", [user.id])).toHaveLength(0);
});

test("an app is edited by its owner, keeps its client id, and its page has commands to copy", async () => {
  const { browser } = await createVisitor("artist");
  const registered = await browser.submit(await browser.form("/you/apps"), FIELDS);
  const clientId = clientIdIn(registered.text);
  const listed = await browser.get("/you/apps");
  const [, edit = { action: "", fields: {} }] = formsIn(listed.text, `${stack.urls.api}/you/apps`);
  expect(edit.action).toMatch(/\/you\/apps\/\d+$/);
  expect(listed.text).toContain(`-u &quot;${clientId}:$CLIENT_SECRET&quot;`);

  const wrong = await browser.submit(edit, {
    ...FIELDS,
    name: "Renamed",
    redirect_uris: "javascript:alert(1)",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/id="edit-\d+-redirect_uris-problem"/);
  expect(wrong.text).not.toContain('id="register-redirect_uris-problem"');

  const saved = await browser.submit(edit, {
    name: "Renamed",
    external_url: "https://renamed.example",
    redirect_uris: "https://renamed.example/cb",
  });
  expect(saved.status).toBe(303);
  const after = (await browser.get("/you/apps")).text;
  expect(after).toContain("Renamed");
  expect(after).toContain("https://renamed.example/cb");
  expect(after).not.toContain("com.example.app://cb");
  expect(clientIdIn(after)).toBe(clientId);
});

test("nobody edits another's app", async () => {
  const [owner, other] = [await createVisitor("artist"), await createVisitor("artist")];
  await owner.browser.submit(await owner.browser.form("/you/apps"), FIELDS);
  const { text } = await owner.browser.get("/you/apps");
  const [, edit = { action: "", fields: {} }] = formsIn(text, `${stack.urls.api}/you/apps`);
  expect((await other.browser.submit(edit, { ...FIELDS, name: "Stolen" })).status).toBe(403);
  expect((await owner.browser.get("/you/apps")).text).not.toContain("Stolen");
});
