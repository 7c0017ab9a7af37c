import { beforeAll, describe, expect, test } from "vitest";
import { NotOperator, SecondFactorNeeded } from "../../../db/faults.ts";
import { actOnJob } from "../../../db/queries/operations.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { readArguments } from "../../../workers/admin/arguments.ts";
import { operationCommands } from "../../../workers/admin/operation-commands.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import {
  arrived,
  createListener,
  createRestingDelivery,
  expectDelivery,
} from "../../api/webhooks/webhook-receiver.ts";
import { jobOf, park, reconcile } from "../../encoding/leases.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { deliver, sql, stack } from "../../support/stack.ts";
import { createTrack, shortWav, uploadTrack, waitForEncode } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operate, operatorAt, startCode } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  ({ browser } = await operatorAt(service));
});

const MARKUP = `<script>alert(1)</script>"'><img src=x>`;

const run = (command: string, ...args: string[]) =>
  operationCommands[command]?.(stackTarget(stack), readArguments(args)) as Promise<Record<string, unknown>>;

/** Sends the form of the page with this action. */
const act = (page: string, action: string, fields: Record<string, string> = {}) =>
  browser.submit(page, action, fields);

async function failedTrack(fields: Record<string, unknown> = {}) {
  const track = await createTrack(ana, { state: "failed", ...fields });
  await sql(
    "update encoding_jobs set failure_reason = 'undecodable', failure_detail = $2, failure_retryable = false where track_id = $1",
    [track.id, MARKUP],
  );
  return track;
}

describe("an encoding job that failed", () => {
  test("is listed with its words, its track and its owner, and markup stays text", async () => {
    const track = await failedTrack({ title: MARKUP });
    const { html, queries } = await browser.get("web", "/admin/jobs");
    expect(html).toContain(`/admin/jobs/${track.id}/retry`);
    expect(html).toContain("The audio is damaged and could not be decoded.");
    expect(html).toContain(`/admin/users/${ana.id}`);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
    expect(queries).toBe(1);
  });

  test("is encoded again by a retry, whatever the reason was", async () => {
    const { id } = await uploadTrack(ana, shortWav(1));
    await waitForEncode(ana, id);
    await sql(
      "update encoding_jobs set state = 'failed', failure_reason = 'undecodable' where track_id = $1",
      [id],
    );
    await sql("update tracks set state = 'failed' where id = $1", [id]);
    const sent = await act("/admin/jobs", `/admin/jobs/${id}/retry`);
    expect([sent.status, sent.location?.pathname]).toEqual([303, "/admin/jobs"]);
    await reconcile();
    expect(await waitForEncode(ana, id)).toMatchObject({ state: "finished" });
  });

  test("is retried once by two who press the button at the same time", async () => {
    const track = await failedTrack();
    const { html } = await browser.get("web", "/admin/jobs");
    const action = `/admin/jobs/${track.id}/retry`;
    const send = () => browser.post("web", action, fieldsIn(html, action));
    await Promise.all([send(), send()]);
    // Another file's cron may have sent the job by now, so its state says nothing.
    const [job] = await sql("select generation from encoding_jobs where track_id = $1", [track.id]);
    expect(job).toEqual({ generation: 2 });
    const retries = await sql(
      "select 1 from audit_log where target_id = $1 and act = 'job.retry' and details->>'state' = 'failed'",
      [track.id],
    );
    expect(retries).toHaveLength(1);
    await park(track.id);
  });
});

describe("a waiting job", () => {
  test("is dropped: its track fails and its owner reads why", async () => {
    const track = await createTrack(ana);
    await park(track.id);
    await act("/admin/jobs?state=queued", `/admin/jobs/${track.id}/drop`, { reason: "Not audio" });
    expect(await jobOf(track.id)).toMatchObject({ state: "failed", job: "failed" });
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body.encoding?.reason).toEqual({
      code: "dropped",
      message: "An operator stopped the encoding of this file.",
    });
    expect((await api.as(ana).post(`/tracks/${track.id}/retry`)).status).toBe(422);
  });
});

describe("a dead letter", () => {
  const idOf = async (message: string) => {
    const [row] = await sql<{ id: number }>(
      "select id::float8 as id from dead_letters where message_id = $1",
      [message],
    );
    return row?.id;
  };

  test("is kept once, however often it arrives, and listed", async () => {
    const message = crypto.randomUUID();
    for (let n = 0; n < 2; n++) await deliver("dead-letters", [{ body: { odd: MARKUP }, id: message }]);
    const id = await idOf(message);
    const { html, queries } = await browser.get("web", "/admin/dead-letters");
    expect(html).toContain(`/admin/dead-letters/${id}/drop`);
    expect(html).not.toContain(`/admin/dead-letters/${id}/retry`);
    expect(html).not.toContain("<script>alert");
    expect(queries).toBe(1);
    await act("/admin/dead-letters", `/admin/dead-letters/${id}/drop`);
    expect(await idOf(message)).toBeUndefined();
  });

  test("is sent again by the next cron, once an operator wants it", async () => {
    const { who, webhook, received } = await createListener();
    const delivery = await createRestingDelivery(webhook);
    const message = crypto.randomUUID();
    await deliver("dead-letters", [{ body: { delivery }, id: message }]);
    const id = await idOf(message);
    await act("/admin/dead-letters", `/admin/dead-letters/${id}/retry`);
    await reconcile();
    await arrived(received, 1);
    await expectDelivery(who, webhook, { state: "delivered" });
    expect(await idOf(message)).toBeUndefined();
  });

  test("of a mail sends it, too", async () => {
    // Dispatched a moment ago, so the cron does not send it by itself.
    const [mail] = await sql<{ id: number }>(
      `insert into mails (kind, recipient, next_attempt_at, dispatched_at)
       values ('address-changed', 'moved@example.com', now(), now()) returning id::float8 as id`,
    );
    const message = crypto.randomUUID();
    await deliver("dead-letters", [{ body: { mail: mail?.id }, id: message }]);
    await act("/admin/dead-letters", `/admin/dead-letters/${await idOf(message)}/retry`);
    await reconcile();
    await expect.poll(() => sql("select state from mails where id = $1", [mail?.id])).toEqual([]);
    expect(await idOf(message)).toBeUndefined();
  });
});

describe("a webhook delivery", () => {
  test("that failed is listed without the address's secret part, and sent by a retry", async () => {
    const { who, webhook, received } = await createListener();
    const id = await createRestingDelivery(webhook);
    await sql("update webhook_deliveries set state = 'failed', next_attempt_at = null where id = $1", [id]);
    const { html, queries } = await browser.get("web", "/admin/deliveries");
    expect(html).toContain(`/admin/deliveries/${id}/retry`);
    expect(html).not.toContain(webhook.url);
    expect(queries).toBe(1);
    await act("/admin/deliveries", `/admin/deliveries/${id}/retry`);
    await reconcile();
    await arrived(received, 1);
    await expectDelivery(who, webhook, { state: "delivered" });
  });

  test("that waits is dropped, and one of a webhook that is switched off cannot be sent", async () => {
    const { webhook, path, who } = await createListener();
    const [first, second] = [await createRestingDelivery(webhook), await createRestingDelivery(webhook)];
    const waiting = await browser.get("web", "/admin/deliveries?state=pending");
    const form = fieldsIn(waiting.html, `/admin/deliveries/${second}/drop`);
    await act("/admin/deliveries?state=pending", `/admin/deliveries/${first}/drop`);
    await expectDelivery(who, webhook, { state: "pending" });
    const [row] = await sql("select state from webhook_deliveries where id = $1", [first]);
    expect(row).toEqual({ state: "failed" });
    await api.as(who).put(path, { json: { enabled: false } });
    const { html } = await browser.get("web", "/admin/deliveries?state=disabled");
    expect(html).toContain("The webhook is switched off by its user.");
    const action = `/admin/deliveries/${second}/retry`;
    const refused = await browser.post("web", action, form);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain("The webhook is switched off");
  });
});

describe("an act is refused", () => {
  const formOf = async (from: ThreeHostsBrowser, id: number) =>
    fieldsIn((await from.get("web", "/admin/jobs")).html, `/admin/jobs/${id}/retry`);
  const retry = (id: number) => `/admin/jobs/${id}/retry`;

  test("in a forged form, and with the token of another form or browser", async () => {
    const { id } = await failedTrack();
    const another = (await operatorAt(service)).browser;
    const { html } = await browser.get("web", "/discover");
    for (const fields of [{}, { form_token: "x" }, fieldsIn(html, "/session/end"), await formOf(another, id)])
      expect((await browser.post("web", retry(id), fields)).status).toBe(403);
    expect(await jobOf(id)).toMatchObject({ job: "failed" });
  });

  test("without the role, or when the code is too long ago", async () => {
    const { id } = await failedTrack();
    const { person, browser: theirs } = await operatorAt(service);
    const form = await formOf(theirs, id);
    await sql("update operator_entries set passed_at = now() - interval '13 hours' where user_id = $1", [
      person.id,
    ]);
    const late = await theirs.post("web", retry(id), { ...form, reason: "It was our fault" });
    expect(late.status).toBe(401);
    expect(late.html).toContain("Nothing was changed");
    expect(late.html).toContain("It was our fault</textarea>");
    expect(late.html).toContain('href="/admin/enter?next=%2Fadmin%2Fjobs"');
    await operate("remove", "--username", person.username);
    expect((await theirs.post("web", retry(id), form)).status).toBe(404);
    expect(await jobOf(id)).toMatchObject({ job: "failed" });
  });

  test("by the statement itself, if the role or the entry ended a moment before", async () => {
    const { id } = await failedTrack();
    const { person } = await operatorAt(service);
    const [session] = await sql<{ id: number }>(
      "select session_id::float8 as id from operator_entries where user_id = $1",
      [person.id],
    );
    const caller = { session: session?.id ?? 0, client: "site", user: person.id };
    const by = { caller, reason: null };
    const { db } = stackTarget(stack);
    await sql("delete from operator_entries where user_id = $1", [person.id]);
    await expect(actOnJob(db, by, "retry", id)).rejects.toThrow(SecondFactorNeeded);
    await operate("remove", "--username", person.username);
    await expect(actOnJob(db, by, "retry", id)).rejects.toThrow(NotOperator);
    await startCode(person);
    expect(await jobOf(id)).toMatchObject({ job: "failed" });
  });

  test("for what is not there, and ids that are none are unknown pages", async () => {
    const { id } = await failedTrack();
    const form = await formOf(browser, id);
    expect((await browser.post("web", retry(1), form)).status).toBe(409);
    for (const odd of ["0", "-1", "1e3", "99999999999999999", "x", `${id}.json`])
      expect((await browser.post("web", `/admin/jobs/${odd}/retry`, form)).status).toBe(404);
    for (const query of ["state=nonsense", "cursor=-1", "cursor=99999999999999999999", "state=%00"])
      expect((await browser.get("web", `/admin/jobs?${query}`)).status).toBe(200);
  });

  test("with a reason that is no text, or too long", async () => {
    const { id } = await failedTrack();
    const form = await formOf(browser, id);
    for (const reason of ["x".repeat(1_001), "a\u0000b"])
      expect((await browser.post("web", retry(id), { ...form, reason })).status).toBe(422);
    expect(await jobOf(id)).toMatchObject({ job: "failed" });
  });
});

test("the overview counts what waits", async () => {
  await failedTrack();
  const { html, queries } = await browser.get("web", "/admin");
  expect(html).toMatch(/Failed jobs<\/a><\/dt><dd>[1-9]/);
  expect(html).toMatch(/Dead letters<\/a><\/dt><dd>\d/);
  expect(queries).toBe(1);
});

test("the same by the command line", async () => {
  const { id } = await failedTrack();
  const listed = (await run("job list", "--limit", "1000")) as { jobs: { track: number }[] };
  expect(listed.jobs).toContainEqual(expect.objectContaining({ track: id, failure_reason: "undecodable" }));
  // The minute's cron may have begun it already.
  const state = expect.stringMatching(/^(queued|leased)$/);
  expect(await run("job retry", "--track", String(id))).toMatchObject({ track: id, state });
  expect(await run("job drop", "--track", String(id))).toMatchObject({
    state: "failed",
    failure_reason: "dropped",
  });
  await expect(run("job drop", "--track", String(id))).rejects.toThrow("has failed already");
  await expect(run("job retry", "--track", "x")).rejects.toThrow("must be an id");
  await expect(run("delivery list", "--state", "x")).rejects.toThrow("--state is one of failed");
  await expect(run("dead-letter retry", "--id", "1")).rejects.toThrow("There is no such letter");
  expect(await run("delivery list")).toEqual({ deliveries: expect.any(Array) });
  expect(await run("dead-letter list")).toEqual({ letters: expect.any(Array) });
});
