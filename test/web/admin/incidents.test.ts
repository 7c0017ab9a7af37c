import { expect, test } from "vitest";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const PAGE = "/admin/incidents";

const { browser, person } = await operatorAt(await threeHosts());
const operator = person.username;

const idOf = async (title: string) =>
  (await sql<{ id: number }>("select id::float8 as id from incidents where title = $1", [title]))[0]?.id;

interface Status {
  parts: { part: string; condition: string; days: { day: string; measured_seconds: number }[] }[];
  incidents: {
    id: number;
    state: string;
    kind: string;
    parts: string[];
    begins_at: string;
    updates: { text: string }[];
  }[];
}

/** The page, its object or its feed. Each isolate reads them anew after ten seconds, so tests wait for that together. */
const read = (form: "" | ".json" | ".xml") => fetch(`${stack.urls.web}/status${form}`);

const readPage = async () => (await read("")).text();

const readStatus = async () => (await (await read(".json")).json()) as Status;

const shown = async (id: number | undefined) =>
  (await readStatus()).incidents.find((incident) => incident.id === id);

/** Milliseconds. One look in ten seconds finds something new. */
const SELDOM = { interval: 500 };

test.concurrent("an operator announces an incident, writes on, and closes it; page, JSON and feed show it", async ({
  expect,
}) => {
  const title = `Slow uploads ${operator}`;
  const opened = await browser.submit(PAGE, PAGE, {
    title,
    text: "We look <b>into</b> it.",
    "part-storage": "on",
  });
  expect([opened.status, opened.location?.pathname]).toEqual([303, PAGE]);
  const id = await idOf(title);
  await expect
    .poll(() => shown(id), SELDOM)
    .toMatchObject({ state: "open", kind: "incident", parts: ["storage"] });
  const html = await readPage();
  expect(html).toContain(`<h3>${title}</h3>`);
  expect(html).not.toContain("<h1>Everything works");
  expect(html).toContain("We look &lt;b&gt;into&lt;/b&gt; it.");
  expect((await read(".json")).headers.get("Access-Control-Allow-Origin")).toBe("*");
  const feed = parseXml(await (await read(".xml")).text());
  const entries = feed.children.filter(({ name }) => name === "entry");
  expect(entries.map(({ children }) => children.find(({ name }) => name === "title")?.text)).toContain(title);
  const [content] = entries.flatMap(({ children }) =>
    children.filter(({ name, text }) => name === "content" && text.includes("We look")),
  );
  expect(content?.text).toContain("<p>We look &lt;b&gt;into&lt;/b&gt; it.</p>");

  await browser.submit(PAGE, `${PAGE}/${id}/update`, { text: "Found it." });
  await browser.submit(PAGE, `${PAGE}/${id}/close`, { text: "Mended." });
  await expect.poll(async () => (await shown(id))?.state, SELDOM).toBe("over");
  expect((await shown(id))?.updates.map(({ text }) => text)).toEqual([
    "Mended.",
    "Found it.",
    "We look <b>into</b> it.",
  ]);
  const { html: list } = await browser.get("web", PAGE);
  expect(list).not.toContain(`${PAGE}/${id}/close`);
  const acts = await sql("select actor, act from audit_log where target_id = $1 order by id", [id]);
  expect(acts).toEqual(
    ["incident.open", "incident.update", "incident.close"].map((act) => ({ actor: operator, act })),
  );
});

test.concurrent("the command line announces maintenance, which is planned before its time; closing twice is refused", async ({
  expect,
}) => {
  const title = `New disks ${operator}`;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const later = new Date(Date.now() + 90_000_000).toISOString();
  const when = ["--begins", tomorrow, "--ends", later];
  const { id } = await operate<{ id: number }>(
    "incident open",
    "--title",
    title,
    "--text",
    "An hour.",
    ...when,
  );
  await expect
    .poll(() => shown(id), SELDOM)
    .toMatchObject({ state: "planned", kind: "maintenance", parts: [] });
  const close = () => operate("incident close", "--id", String(id), "--text", "Not needed.");
  await close();
  await expect.poll(async () => (await shown(id))?.state, SELDOM).toBe("over");
  const [, article] = (await readPage()).split(`id="incident-${id}"`);
  expect(article?.slice(0, 200)).toMatch(
    /^>\s*<h3>[^<]+<\/h3>\s*<p>\s*<strong>Called off<\/strong>: planned for /,
  );
  await expect(close()).rejects.toThrow("It is over already");
  await operate("incident update", "--id", String(id), "--text", "We write on.");
  await expect(operate("incident update", "--id", "1", "--text", "x")).rejects.toThrow("no such incident");
});

test.concurrent("an incident that began long ago is shown with its last words", async ({ expect }) => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const what = ["--title", `Lost mails ${operator}`, "--text", "We search."];
  const past = ["--begins", daysAgo(101), "--ends", daysAgo(91)];
  const old = await operate<{ id: number }>("incident open", ...what, ...past);
  const { id } = await operate<{ id: number }>("incident open", ...what, "--begins", daysAgo(100));
  await expect.poll(async () => (await shown(id))?.state, SELDOM).toBe("open");
  const begins = (await readStatus()).incidents.map(({ begins_at }) => Date.parse(begins_at));
  expect(begins).toEqual(begins.toSorted((one, other) => other - one));
  expect(await shown(old.id)).toBeUndefined();
  await operate("incident close", "--id", String(id), "--text", "Mended.");
  await expect.poll(async () => (await shown(id))?.state, SELDOM).toBe("over");
  expect((await shown(id))?.updates.map(({ text }) => text)).toEqual(["Mended.", "We search."]);
});

test("of two who close an incident at once the second is refused, and its words are not kept", async () => {
  const what = ["--title", `Twice ${operator}`, "--text", "We search."];
  const { id } = await operate<{ id: number }>("incident open", ...what);
  const close = () => operate("incident close", "--id", String(id), "--text", "Mended.");
  const closed = askDuring("update incidents set ends_at = now() where id = $1", [id], close);
  await expect(closed).rejects.toThrow("It is over already");
  expect(await sql("select body from incident_updates where incident_id = $1", [id])).toHaveLength(1);
  expect(await sql("select act from audit_log where target_id = $1", [id])).toEqual([
    { act: "incident.open" },
  ]);
  const newestBefore = async (before: number) => {
    const page = ["--before", String(before), "--limit", "1"];
    const { incidents } = await operate<{ incidents: { id: number }[] }>("incident list", ...page);
    return incidents.map((one) => one.id);
  };
  expect(await newestBefore(id + 1)).toEqual([id]);
  expect(await newestBefore(id)).not.toContain(id);
});

test.concurrent("the minute's cron measures each part, and the day without a measurement says so", async ({
  expect,
}) => {
  await runCron("* * * * *");
  const measured = async () =>
    (await readStatus()).parts.map(({ days }) => (days.at(-1)?.measured_seconds ?? 0) > 0);
  await expect.poll(measured, SELDOM).toEqual([true, true, true, true, true, true]);
  const [html, { parts }] = await Promise.all([readPage(), readStatus()]);
  expect(parts.map(({ part }) => part)).toEqual([
    "database",
    "storage",
    "encoding",
    "webhooks",
    "posts",
    "mails",
  ]);
  expect(parts[0]?.days).toHaveLength(90);
  expect(parts[0]?.days[0]).toMatchObject({ condition: "unmeasured", measured_seconds: 0 });
  expect(html).toMatch(/role="img" aria-label="Mails, 90 days: \d+ without trouble/);
});

test.each([
  [{ title: "", text: "x" }, "Title is missing"],
  [{ title: "x", text: " " }, "Text is missing"],
  [{ title: "x", text: "x", begins: "tomorrow" }, "Begins must be a time as RFC 3339"],
  [{ title: "x", text: "x", ends: "2020-01-01T00:00:00Z" }, "Ends must be later than the beginning"],
])("422: %o", async (fields, words) => {
  const refused = await browser.submit(PAGE, PAGE, fields);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain(words);
});
