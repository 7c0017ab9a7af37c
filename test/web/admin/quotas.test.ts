import { beforeAll, expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;

beforeAll(async () => {
  ({ browser } = await operatorAt(service));
});

test("a user's quota is shown and changed: a number, none, and the plan's", async () => {
  const { id } = await createUser();
  const page = `/admin/users/${id}`;
  const set = (limits: Record<string, string>) => browser.submit(page, `${page}/quota`, limits);
  await set({ seconds: "7200", bytes: "none", tracks: "" });
  const own = () =>
    sql("select seconds::int, bytes::int, tracks::int from user_quotas where user_id = $1", [id]);
  expect(await own()).toEqual([{ seconds: 7200, bytes: -1, tracks: null }]);
  const { html, queries } = await browser.get("web", page);
  expect(html).toContain("0:00 of 2:00:00");
  expect([/name="bytes" value="none"/.test(html), queries]).toEqual([true, 1]);
  expect((await set({ seconds: "-5", bytes: "", tracks: "" })).status).toBe(422);
  await set({ seconds: "", bytes: "", tracks: "" });
  expect(await own()).toEqual([]);
  const acts = await sql("select act from audit_log where target_id = $1", [id]);
  expect(acts).toHaveLength(2);
});

test("the plans are listed; one that does not exist changes nothing", async () => {
  const { html, queries } = await browser.get("web", "/admin/quotas");
  expect(["free", "artist", "artist-pro"].every((plan) => html.includes(`value="${plan}"`))).toBe(true);
  expect(queries).toBe(1);
  // By these a reason comes back to its own plan after a second factor.
  const reasons = [...html.matchAll(/<input id="([^"]*)" name="reason"/g)].map(([, id]) => id);
  expect([reasons.length, new Set(reasons).size]).toEqual([3, 3]);
  const form = fieldsIn(html, "/admin/quotas");
  expect((await browser.post("web", "/admin/quotas", { ...form, plan: "gold" })).status).toBe(422);
  // The same limits as before: other files run beside this one.
  const unchanged = { ...form, plan: "artist", reason: "A test" };
  expect((await browser.post("web", "/admin/quotas", unchanged)).status).toBe(303);
  const acts = await sql("select 1 from audit_log where act = 'plan.quota' and reason = 'A test'");
  expect(acts).toHaveLength(1);
});
