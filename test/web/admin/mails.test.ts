import { beforeAll, describe, expect, test } from "vitest";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { mailCommands } from "../../../workers/admin/mail-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let operator: Person;

beforeAll(async () => {
  ({ browser, person: operator } = await operatorAt(service));
});

const MARKUP = `<script>alert(1)</script>"'><img src=x>`;

describe("a mail that failed", () => {
  const failedMail = async (expires = "infinity") => {
    const [row] = await sql<{ id: number }>(
      `insert into mails (kind, recipient, state, next_attempt_at, failure, expires_at)
       values ('report', 'ops@example.com', 'failed', null, $1, $2) returning id::float8 as id`,
      [MARKUP, expires],
    );
    return row?.id ?? 0;
  };
  const stateOf = async (id: number) =>
    (await sql<{ state: string }>("select state from mails where id = $1", [id]))[0]?.state;
  const acts = async (id: number) =>
    (await sql<{ act: string }>("select act from audit_log where target_id = $1 order by id", [id])).map(
      (row) => row.act,
    );

  test("is listed with the server's words, dropped, and both acts stand in the log", async () => {
    const [id, late] = [await failedMail(), await failedMail("-infinity")];
    const { html, queries } = await browser.get("web", "/admin/mails");
    expect([html.includes("ops@example.com"), html.includes("<script>alert"), queries]).toEqual([
      true,
      false,
      1,
    ]);
    const form = fieldsIn(html, `/admin/mails/${late}/retry`);
    expect((await browser.post("web", `/admin/mails/${late}/retry`, form)).status).toBe(409);
    await browser.submit("/admin/mails", `/admin/mails/${id}/drop`, { reason: "A mistyped address" });
    await browser.submit("/admin/mails", `/admin/mails/${late}/drop`);
    expect([await stateOf(id), await acts(id), await acts(late)]).toEqual([
      undefined,
      ["mail.drop"],
      ["mail.drop"],
    ]);
    expect((await browser.post("web", `/admin/mails/${id}/drop`, form)).status).toBe(409);
    expect((await browser.get("web", "/admin")).html).toMatch(/Failed mails<\/a><\/dt><dd>\d/);
  });

  test("waits again after a retry, on the page and by the command line", async () => {
    const [paged, typed] = [await failedMail(), await failedMail()];
    await browser.submit("/admin/mails", `/admin/mails/${paged}/retry`);
    await mailCommands["mail retry"]?.(
      stackTarget(stack),
      readArguments(["mail", "retry", "--id", String(typed)]),
    );
    for (const id of [paged, typed]) {
      // A cron may have sent it by now.
      expect(await stateOf(id)).not.toBe("failed");
      expect(await acts(id)).toEqual(["mail.retry"]);
    }
  });

  test("waits again with all others that failed, by one button that stands there for two or more", async () => {
    const [one, other, late] = [await failedMail(), await failedMail(), await failedMail("-infinity")];
    const action = "/admin/failed-mails/retry";
    const { html } = await browser.get("web", "/admin/mails");
    expect(html).toContain("Send all again");
    expect((await browser.get("web", "/admin/mails?state=waiting")).html).not.toContain("Send all again");
    const stranger = await service.open().enterSite((await createUser()).id);
    expect((await stranger.post("web", action, fieldsIn(html, action))).status).toBe(404);
    expect(await stateOf(one)).toBe("failed");
    const sent = await browser.submit("/admin/mails", action);
    expect([sent.status, sent.location?.pathname]).toEqual([303, "/admin/mails"]);
    for (const id of [one, other]) expect(await stateOf(id)).not.toBe("failed");
    // Too late to be of use: its link has expired.
    expect(await stateOf(late)).toBe("failed");
    const [noted] = await sql<{ mails: number; actor: string }>(
      `select (details->>'mails')::int as mails, actor from audit_log
       where act = 'mail.retry' and target_id is null order by id desc limit 1`,
    );
    expect(noted).toEqual({ mails: expect.any(Number), actor: operator.username });
  });

  test("409: is not sent a second time while an attempt is running, until the attempt is lost", async () => {
    const id = await failedMail();
    const begin = (minutes: number) =>
      sql(
        `update mails set state = 'waiting', attempt = gen_random_uuid(), dispatched_at = now(),
           next_attempt_at = now() + make_interval(mins => $2) where id = $1`,
        [id, minutes],
      );
    await begin(2);
    const retry = `/admin/mails/${id}/retry`;
    const { html } = await browser.get("web", "/admin/mails?state=waiting");
    const refused = await browser.post("web", retry, fieldsIn(html, retry));
    expect([refused.status, await acts(id)]).toEqual([409, []]);
    await expect(
      mailCommands["mail retry"]?.(stackTarget(stack), readArguments(["--id", String(id)])),
    ).rejects.toThrow("being sent");
    await begin(-1);
    expect((await browser.post("web", retry, fieldsIn(html, retry))).status).toBe(303);
    expect(await acts(id)).toEqual(["mail.retry"]);
  });

  test("is forgotten after 30 days", async () => {
    const [young, old] = [await failedMail(), await failedMail()];
    const [row] = await sql<{ id: number }>(
      `update mails set id = ((extract(epoch from now() - interval '31 days') * 1000)::bigint - 1704067200000) << 12
       where id = $1 returning id::float8 as id`,
      [old],
    );
    await runCron("*/5 * * * *");
    expect([await stateOf(row?.id ?? 0), await stateOf(young)]).toEqual([undefined, "failed"]);
  });
});
