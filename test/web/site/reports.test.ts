import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { Browser, mailsTo, uniqueName } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

const at = (path: string) => stack.urls.api + path;

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  await createPlayableTrack(ana, { permalink: "open" });
});

describe("a report", () => {
  const report = (fields: Record<string, string>) => ({
    url: at(`/${ana.username}/open`),
    reason: "copyright",
    details: `It is mine, ${ana.username}.`,
    email: "bo@example.com",
    ...fields,
  });

  test("reaches the operator by mail, and leads back to its page, but to no other site", async () => {
    const browser = new Browser();
    const page = `/report?url=${encodeURIComponent(at(`/${ana.username}/open`))}`;
    expect((await browser.get(page)).html).toContain(`value="${at(`/${ana.username}/open`)}"`);
    const { status, headers } = await browser.submit(page, "/report", report({}));
    expect(status).toBe(303);
    expect((await browser.get(String(headers.location))).html).toContain(
      `href="${at(`/${ana.username}/open`)}">Back to the page`,
    );
    const elsewhere = await browser.get("/report/sent?url=https%3A%2F%2Fother.example%2Fx");
    expect(elsewhere.html).toContain("To the home page");
    await expect
      .poll(async () =>
        (await mailsTo("reports@soundpost.example")).map(({ subject, text }) => subject + text),
      )
      .toContainEqual(
        expect.stringMatching(
          new RegExp(`Report: copyright[^]*bo@example\\.com[^]*It is mine, ${ana.username}\\.`),
        ),
      );
  });

  test("stands in the operators' queue until one settles it, and once if it is sent twice", async () => {
    const details = `Twice by ${ana.username}`;
    for (let sent = 0; sent < 2; sent++)
      expect((await new Browser().submit("/report", "/report", report({ details }))).status).toBe(303);
    const mine = async (state: string) =>
      (
        await operate<{ reports: { id: number; details: string; target: string; target_kind: string }[] }>(
          "report list",
          "--state",
          state,
          "--limit",
          "1000",
        )
      ).reports.filter((each) => each.details === details);
    const [open, ...more] = await mine("open");
    expect([open, more]).toMatchObject([{ target_kind: "track", target: `${ana.username}/open` }, []]);
    const settled = await operate("report resolve", "--report", String(open?.id), "--note", "Taken down");
    expect(settled).toMatchObject({ state: "resolved", note: "Taken down" });
    expect([await mine("open"), (await mine("resolved")).length]).toEqual([[], 1]);
  });

  test.each([
    ["url", "https://other.example/x", "is not on this site"],
    ["details", " ", "are missing"],
    ["email", "nobody", "is no e-mail address"],
    ["reason", "boredom", "is missing"],
  ])("is shown again with the problem beside %s", async (name, value, problem) => {
    const { status, html } = await new Browser().submit("/report", "/report", report({ [name]: value }));
    expect(status).toBe(422);
    expect(html).toContain(problem);
    expect(html).toContain(`id="report-${name}-problem"`);
  });

  test("has no reason chosen, so that nobody claims one in a hurry", async () => {
    const { html } = await new Browser().get("/report");
    expect(html).toMatch(/<select[^>]*name="reason"[^>]*required[^>]*><option value="" selected/);
  });

  test("is limited by address", async () => {
    const browser = new Browser();
    const { html } = await browser.get("/report");
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const statuses = [];
    for (let n = 0; n < 21; n++)
      statuses.push((await browser.post("/report", { ...report({}), form_token: token })).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(303));
    expect(statuses[20]).toBe(429);
    const refused = await browser.post("/report", { ...report({}), form_token: token });
    expect(refused.html).toContain('class="button" href="/report"');
  });

  test("is filled in on pages of a user who is named like its own address", async () => {
    const page = `/reporter-${ana.username}`;
    await sql("update users set permalink = $2 where id = $1", [(await createUser()).id, page.slice(1)]);
    const { html } = await new Browser().get(page);
    expect(html).toContain(`/report?url=${encodeURIComponent(at(page))}`);
  });

  test("is refused without a form of ours", async () => {
    expect((await new Browser().post("/report", report({}))).status).toBe(403);
  });
});

test("reports about a track, also by its id, follow to the one that takes its place, and who sent them hears of its takedown", async () => {
  const [old, taker] = [await createPlayableTrack(ana), await createPlayableTrack(ana)];
  const url = at(`/tracks/${old.id}`);
  const [early, late] = [`${uniqueName()}@example.com`, `${uniqueName()}@example.com`];
  const report = (email: string) =>
    new Browser().submit("/report", "/report", { url, reason: "copyright", details: "Mine", email });
  await report(early);
  const json = { superseded_id: old.id };
  expect((await api.as(ana).post(`/tracks/${taker.id}/supersede`, { json })).status).toBe(200);
  await report(late);
  const shown = await operate<{ open_reports: number }>("track show", "--track", String(taker.id));
  expect(shown.open_reports).toBe(2);
  await operate("track take-down", "--track", String(taker.id), "--reason", "Somebody else's");
  // The minute's cron sends mails of the command line.
  const removalMail = async (email: string) =>
    (await mailsTo(email)).find(({ subject }) => subject === "The track that you reported was removed")
      ?.text ?? "";
  for (const email of [early, late]) await expect.poll(() => removalMail(email)).toContain(url);
});
