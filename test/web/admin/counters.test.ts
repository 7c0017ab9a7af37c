import { afterAll, beforeAll, expect, test } from "vitest";
import { runCron, sql } from "../../support/stack.ts";
import { type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let operator: number;

beforeAll(async () => {
  const entered = await operatorAt(service);
  browser = entered.browser;
  operator = entered.person.id;
});

// Other files write counters without rows, which a pass that goes on would repair.
afterAll(() => sql("update recounts set after_id = null, begun_at = 'infinity'"));

test("an operator has all counters recounted, reads how it went, and the act stands in the log", async () => {
  await runCron("*/5 * * * *");
  const sent = await browser.submit("/admin", "/admin/counters/recount");
  expect([sent.status, sent.location?.pathname]).toEqual([303, "/admin"]);
  const acts = await sql("select act from audit_log where actor_id = $1 and act <> 'operator.enrol'", [
    operator,
  ]);
  expect(acts).toEqual([{ act: "counters.recount" }]);
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return (await browser.get("web", "/admin")).html;
    })
    .toMatch(/Users.*\d+ checked, \d+ repaired.*Begun \d{4}-/);
});
