import { expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { threeHosts, tokenIn } from "../../web/site/three-hosts.ts";

const service = await threeHosts();

/** Whether the browser is signed in, on each host. */
async function hosts(browser: Awaited<ReturnType<typeof service.enter>>) {
  const accounts = await browser.get("auth", "/settings");
  const site = await browser.get("web", "/discover");
  return [accounts.status === 200, site.html.includes("Sign out")];
}

async function three(person: Person) {
  return Promise.all([service.enter(person), service.enter(person), service.enter(person)]);
}

test("the settings name each browser, with one statement, and the plan with what is used of it", async () => {
  const person = await createUser();
  const [mine] = await three(person);
  await sql("update sessions set last_used_at = '2026-01-02T03:04:05Z' where user_id = $1", [person.id]);
  await sql("insert into user_quotas (user_id, seconds, tracks) values ($1, 10800, 1)", [person.id]);
  const { html, queries } = await mine.get("auth", "/settings");
  expect(queries).toBe(1);
  expect(html.match(/<strong>Unknown browser/g)).toHaveLength(3);
  expect(html.match(/This browser\./g)).toHaveLength(1);
  expect(html.indexOf("This browser.")).toBeLessThan(html.indexOf("/end"));
  expect(html).toContain("last used 2026-01-02 03:04 UTC");
  expect(html).toContain("You are on the plan <strong>free</strong>");
  expect(html).toContain("Your files take 0 bytes");
  expect(html).toContain("You have used 0 of 1 track and 0 seconds of 3 hours of audio.");
});

test("one other browser is signed out, on both hosts", async () => {
  const [mine, ended, other] = await three(await createUser());
  const { html } = await mine.get("auth", "/settings");
  const ids = [...html.matchAll(/action="(\/settings\/browsers\/[\w-]{16}\/end)"/g)].map(
    ([, path = ""]) => path,
  );
  const before = await Promise.all([ended, other].map(hosts));
  expect(before).toEqual([
    [true, true],
    [true, true],
  ]);
  const [path = ""] = ids;
  const reply = await mine.post("auth", path, { form_token: tokenIn(html, path) });
  expect(reply.location?.search).toBe("?notice=browser-ended");
  const after = await Promise.all([ended, other].map(hosts));
  expect(after).toContainEqual([false, false]);
  expect(after).toContainEqual([true, true]);
  expect(await hosts(mine)).toEqual([true, true]);
});

test("all others are signed out at once, and nobody else's", async () => {
  const stranger = await service.enter(await createUser());
  const [mine, ...others] = await three(await createUser());
  const { html } = await mine.get("auth", "/settings");
  const path = "/settings/other-browsers/end";
  expect((await mine.post("auth", path, { form_token: "x" })).status).toBe(403);
  await mine.post("auth", path, { form_token: tokenIn(html, path) });
  expect(await Promise.all(others.map(hosts))).toEqual([
    [false, false],
    [false, false],
  ]);
  expect(await hosts(mine)).toEqual([true, true]);
  expect(await hosts(stranger)).toEqual([true, true]);
});

test("a session that has ended signs nobody out", async () => {
  const person = await createUser();
  const [mine, other] = await three(person);
  const { html } = await other.get("auth", "/settings");
  const path = "/settings/other-browsers/end";
  await mine.get("auth", "/settings").then(async (page) => {
    await mine.post("auth", path, { form_token: tokenIn(page.html, path) });
  });
  const late = await other.post("auth", path, { form_token: tokenIn(html, path) });
  expect(late.location?.pathname).toBe("/signin");
  expect(await hosts(mine)).toEqual([true, true]);
});
