import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createApp, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let operator: Person;
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  ({ browser, person: operator } = await operatorAt(service));
});

const MARKUP = `<script>alert(1)</script>"'><img src=x>`;

/** The acts in the log on a user or a track, the newest first. */
const actsOn = async (id: number) =>
  (
    await sql<{ act: string; actor: string; reason: string | null }>(
      "select act, actor, reason from audit_log where target_id = $1 order by id desc",
      [id],
    )
  ).map((row) => ({ ...row }));

async function report(url: string, details: string): Promise<void> {
  const reporter = service.open();
  const fields = { url, reason: "copyright", details, email: "" };
  expect((await reporter.submit("/report", "/report", fields)).location?.pathname).toBe("/report/sent");
}

const webUrl = (path: string) => `http://web.localhost:${service.port}${path}`;

describe("a report", () => {
  test("is found in the queue, with a way to its track, and is resolved with a note", async () => {
    const track = await createPlayableTrack(ana, { permalink: "stolen", title: MARKUP });
    await report(webUrl(`/${ana.username}/stolen`), `Mine. ${MARKUP}`);
    const { html, queries } = await browser.get("web", "/admin/reports");
    expect(html).toContain(`href="/admin/tracks/${track.id}"`);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
    expect(queries).toBe(1);
    const [row] = await sql("select id from reports where url = $1", [webUrl(`/${ana.username}/stolen`)]);
    const action = `/admin/reports/${row?.id}/resolve`;
    expect(html).toContain(`action="${action}"`);
    await browser.submit("/admin/reports", action, { note: "Taken down" });
    const resolved = await browser.get("web", "/admin/reports?state=resolved");
    expect(resolved.html).toContain("Taken down");
    expect((await browser.get("web", "/admin/reports")).html).not.toContain(action);
    await browser.submit("/admin/reports?state=resolved", action.replace("resolve", "reopen"));
    expect((await browser.get("web", "/admin/reports")).html).toContain(action);
  });

  test("makes no link to a script, whatever address it names", async () => {
    const url = `javascript://web.localhost:${service.port}/%0aalert(1)`;
    const fields = { url, reason: "spam", details: "x", email: "" };
    expect((await service.open().submit("/report", "/report", fields)).status).toBe(422);
    await sql(
      "insert into reports (target_kind, url, reason, details) values ('page', $1, 'spam', 'An older report')",
      [url],
    );
    const { html } = await browser.get("web", "/admin/reports");
    expect(html).toContain("An older report");
    expect(html).not.toContain('href="javascript:');
  });
});

describe("a track", () => {
  test("is found by its address, taken down with a reason, and put back", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "found" });
    const found = await browser.get(
      "web",
      `/admin/tracks?q=${encodeURIComponent(webUrl(`/${ana.username}/found`))}`,
    );
    const page = `/admin/tracks/${id}`;
    expect(found.location?.pathname).toBe(page);
    expect((await browser.get("web", page)).queries).toBe(1);
    const visitor = service.open();
    expect((await visitor.get("web", `/${ana.username}/found`)).status).toBe(200);
    expect((await browser.submit(page, `${page}/take-down`, { reason: " " })).status).toBe(422);
    await browser.submit(page, `${page}/take-down`, { reason: "A claim of Ben's" });
    expect((await visitor.get("web", `/${ana.username}/found`)).status).toBe(404);
    const down = await browser.get("web", page);
    expect(down.html).toContain("A claim of Ben&#39;s");
    await browser.submit(page, `${page}/put-back`);
    expect((await visitor.get("web", `/${ana.username}/found`)).status).toBe(200);
    expect(await actsOn(id)).toEqual([
      { act: "track.put-back", actor: operator.username, reason: null },
      { act: "track.take-down", actor: operator.username, reason: "A claim of Ben's" },
    ]);
    const log = await browser.get("web", "/admin/log");
    expect(log.html).toContain("track.take-down");
    expect(log.queries).toBe(1);
  });

  test("that is not there is an unknown page, and an odd search finds nothing", async () => {
    expect((await browser.get("web", "/admin/tracks/1")).status).toBe(404);
    for (const query of ["x", "%00", "9".repeat(30), "a/b", "0"])
      expect([query, (await browser.get("web", `/admin/tracks?q=${query}`)).status]).toEqual([query, 200]);
  });
});

describe("a user", () => {
  const pageOf = ({ id }: Person) => `/admin/users/${id}`;

  test("is found, suspended, restored, signed out and given a plan", async () => {
    const ben = await createUser();
    const list = await browser.get("web", `/admin/users?q=${ben.username}`);
    expect(list.html).toContain(`href="${pageOf(ben)}"`);
    expect(list.queries).toBe(1);
    const page = pageOf(ben);
    expect((await browser.get("web", page)).queries).toBe(1);
    await browser.submit(page, `${page}/plan`, { plan: "artist" });
    expect((await api.as(ben).get<{ plan: string }>("/me")).body.plan).toMatch(/artist/i);
    expect((await browser.submit(page, `${page}/suspend`, { reason: "" })).status).toBe(422);
    await browser.submit(page, `${page}/suspend`, { reason: "Spam" });
    expect((await api.as(ben).get("/me")).status).toBe(401);
    expect((await browser.get("web", page)).html).toContain("suspended: Spam");
    await browser.submit(page, `${page}/restore`);
    await browser.submit(page, `${page}/sign-out`);
    const acts = (await actsOn(ben.id)).map(({ act }) => act);
    expect(acts).toEqual(["user.sign-out", "user.restore", "user.suspend", "user.plan"]);
  });

  test("is deleted by who types the name, and by nobody else", async () => {
    const ben = await createUser();
    const page = `${pageOf(ben)}/delete`;
    const wrong = await browser.submit(page, page, { name: "somebody", reason: "Asked for it" });
    expect(wrong.status).toBe(422);
    expect((await api.as(ben).get("/me")).status).toBe(200);
    expect((await browser.submit(page, page, { name: ben.username, reason: "" })).status).toBe(422);
    const sent = await browser.submit(page, page, { name: ben.username, reason: "Asked for it" });
    expect([sent.status, sent.location?.pathname]).toEqual([303, "/admin/users"]);
    expect((await api.as(ben).get("/me")).status).toBe(401);
    expect((await actsOn(ben.id))[0]).toMatchObject({ act: "user.delete", reason: "Asked for it" });
  });

  test("with markup in the name stays text, and odd searches find nobody", async () => {
    const odd = await createUser();
    await sql("update users set username = $2 where id = $1", [odd.id, MARKUP]);
    for (const path of [`/admin/users?q=${odd.id}`, pageOf(odd), `${pageOf(odd)}/delete`]) {
      const { html, status } = await browser.get("web", path);
      expect(status).toBe(200);
      expect(html).not.toContain("<script>alert");
    }
    for (const query of ["%25", "_", "\\", "%00", "x".repeat(3_000)])
      expect((await browser.get("web", `/admin/users?q=${encodeURIComponent(query)}`)).status).toBe(200);
    expect((await browser.get("web", "/admin/users/1")).status).toBe(404);
  });
});

test.each(["users", "apps", "tracks"])(
  "/admin/%s finds nothing for what is no text, nor half an emoji",
  async (list) => {
    for (const query of ["\0", `${"x".repeat(199)}🎸`, `${"x".repeat(499)}🎸`])
      expect((await browser.get("web", `/admin/${list}?q=${encodeURIComponent(query)}`)).status).toBe(200);
  },
);

test("an app is revoked with a reason, and restored; the service's own are not listed, and stay", async () => {
  const app = await createApp();
  const page = `/admin/apps?q=${app.client_id}`;
  const action = `/admin/apps/${app.client_id}`;
  expect((await browser.get("web", page)).queries).toBe(1);
  const before = fieldsIn((await browser.get("web", page)).html, `${action}/revoke`);
  const long = { ...before, reason: "It spams", message: "x".repeat(1_001) };
  const tooLong = await browser.post("web", `${action}/revoke`, long);
  expect([tooLong.status, tooLong.html.includes("The text for the owner")]).toEqual([422, true]);
  await browser.submit(page, `${action}/revoke`, { reason: "It spams", message: "Slow it down" });
  const revoked = await browser.get("web", page);
  expect(revoked.html).toContain("Revoked");
  const [act] = await sql(
    "select reason, details->>'message' as message from audit_log where act = 'app.revoke' and target = $1",
    [app.client_id],
  );
  expect(act).toEqual({ reason: "It spams", message: "Slow it down" });
  await browser.submit(page, `${action}/restore`);
  expect((await browser.get("web", page)).html).toContain(`${action}/revoke`);
  const form = fieldsIn(revoked.html, `${action}/restore`);
  const own = await browser.post("web", "/admin/apps/site/revoke", { ...form, reason: "x" });
  expect([own.status, own.html.includes("own pages need this app")]).toEqual([409, true]);
  expect((await browser.get("web", "/admin/apps?q=personal")).html).not.toContain("/admin/apps/personal/");
});

test("what operators do to operators stands in the log", async () => {
  const acts = await actsOn(operator.id);
  expect(acts.map(({ act }) => act)).toEqual(["operator.enrol", "operator.add"]);
  expect(acts[1]?.actor).toMatch(/^command line: /);
});

test("none of these pages is there for others", async () => {
  const stranger = await service.open().enterSite(ana.id);
  const track = await createTrack(ana);
  const paths = "reports users tracks apps jobs dead-letters deliveries log"
    .split(" ")
    .map((name) => `/admin/${name}`);
  for (const path of [...paths, `/admin/tracks/${track.id}`, `/admin/users/${ana.id}`])
    for (const other of [stranger, service.open()])
      expect([path, (await other.get("web", path)).status]).toEqual([path, 404]);
  const { html } = await stranger.get("web", "/discover");
  const token = fieldsIn(html, "/session/end");
  for (const path of [
    `/admin/tracks/${track.id}/take-down`,
    `/admin/users/${ana.id}/delete`,
    "/admin/reports/1/resolve",
  ])
    expect((await stranger.post("web", path, { ...token, reason: "x" })).status).toBe(404);
  expect((await api.as(ana).get<Track>(`/tracks/${track.id}`)).status).toBe(200);
});

test("a moderator finds a track by its title, a user by the profile's address, other reports, and acts by kind", async () => {
  const title = `Stolen ${crypto.randomUUID()} 100%`;
  const track = await createPlayableTrack(ana, { permalink: "by-title", title });
  const { html, queries } = await browser.get(
    "web",
    `/admin/tracks?${new URLSearchParams({ q: title.slice(3) })}`,
  );
  expect([html.includes(`/admin/tracks/${track.id}`), queries]).toEqual([true, 1]);
  const profile = new URLSearchParams({ q: `${webUrl(`/${ana.username}`)}?from=mail` });
  expect((await browser.get("web", `/admin/users?${profile}`)).html).toContain(`/admin/users/${ana.id}"`);
  for (const details of ["First", "Second"]) await report(webUrl(`/${ana.username}/by-title`), details);
  expect((await browser.get("web", "/admin/reports")).html).toContain("1 more open report about it");
  await browser.submit(`/admin/tracks/${track.id}`, `/admin/tracks/${track.id}/take-down`, {
    reason: "Stolen",
  });
  expect((await browser.get("web", "/admin/log?about=track")).html).toContain(`/admin/tracks/${track.id}`);
  expect((await browser.get("web", "/admin/log?about=app")).html).not.toContain(`/admin/tracks/${track.id}`);
});

test("the log of one kind goes on where its page ended, with nothing else between", async () => {
  const key = crypto.randomUUID();
  await sql(
    `insert into audit_log (actor, act, target_kind, target)
     select 'test', kind || '.test', kind, $1 || '-' || kind || '-' || n
     from generate_series(1, 55) n, unnest(array['report', 'plan']) kind`,
    [key],
  );
  const first = await browser.get("web", "/admin/log?about=report");
  const [, next = ""] = /href="(\/admin\/log\?[^"]*cursor=[^"]*)"/.exec(first.html) ?? [];
  const second = await browser.get("web", next.replaceAll("&amp;", "&"));
  const named = [first, second].flatMap(({ html }) => html.match(new RegExp(`${key}-\\w+-\\d+`, "g")) ?? []);
  expect(named.filter((target) => target.includes("-report-"))).toHaveLength(55);
  expect(new Set(named).size).toBe(55);
  expect([second.queries, second.html.includes("plan.test")]).toEqual([1, false]);
});
