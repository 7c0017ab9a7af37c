import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { whileHeld } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
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

test("the overview says what lies in storage", async () => {
  await runCron("*/5 * * * *");
  const { html } = await browser.get("web", "/admin");
  expect(html).toMatch(/Originals.*?[\d.]+ \w+ in \d+ files.*Deleted, and kept/s);
});

test("the overview counts podcasts that move in, and what is overdue", async () => {
  const counts = async () => {
    const { html } = await browser.get("web", "/admin");
    return ["Podcasts moving in", "Overdue publications"].map((name) =>
      Number(new RegExp(`${name}</a></dt><dd>(\\d+)</dd>`).exec(html)?.[1]),
    );
  };
  expect(await counts()).not.toContain(Number.NaN);
  // Another file's podcast may end at the same moment.
  await expect
    .poll(async () => {
      const [before = Number.NaN] = await counts();
      await sql(
        `insert into podcast_imports (user_id, feed_url, state, title, show, next_run_at)
         values ($1, 'https://feeds.example/a', 'running', 'A', '{}', now() + interval '1 day')`,
        [operator],
      );
      const [during = Number.NaN] = await counts();
      await sql("delete from podcast_imports where user_id = $1", [operator]);
      return during - before;
    })
    .toBeGreaterThan(0);
});

test("an operator has all counters recounted, reads how it went, and the act stands in the log", async () => {
  await runCron("*/5 * * * *");
  // The press may write to these rows, but no sweep takes them and repairs the counters of other files.
  await whileHeld("select from recounts for key share", [], async () => {
    const sent = await browser.submit("/admin", "/admin/counters/recount");
    expect([sent.status, sent.location?.pathname]).toEqual([303, "/admin"]);
    const toTheEnd = `update recounts set after_id = $1, begun_at = now() where begun_at = '-infinity' returning kind`;
    expect(await sql(toTheEnd, [Number.MAX_SAFE_INTEGER])).toHaveLength(3);
  });
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

test("the command line recounts them, and says how many", async () => {
  const [who, fan] = [await createUser(), await createUser()];
  await api.as(fan).put(`/me/followings/${who.id}`);
  await sql("update users set followers_count = followers_count + 7 where id = $1", [who.id]);
  // Goes on from this user, because a pass from the beginning would repair the counters of other files.
  await sql(
    `update recounts set begun_at = now(), checked = 0, repaired = 0,
       after_id = case kind when 'user' then $1 else $2 end::bigint`,
    [who.id - 1, Number.MAX_SAFE_INTEGER],
  );
  const { users_checked, users_repaired } = await operate("counters recount");
  expect(Math.min(Number(users_checked), Number(users_repaired))).toBeGreaterThan(0);
  const { body } = await api.as(fan).get<{ followers_count: number }>(`/users/${who.id}`);
  expect(body.followers_count).toBe(1);
  const acts = await sql(
    "select actor from audit_log where act = 'counters.recount' order by id desc limit 1",
  );
  expect(acts).toEqual([{ actor: expect.stringMatching(/^command line: ./) }]);
});
