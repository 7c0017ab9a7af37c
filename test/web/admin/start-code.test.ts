import { expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { codeOf, ENROL, ENTER, operate, recoveryIn, secretIn, startCode } from "./admin.support.ts";

const service = await threeHosts();

async function newOperator() {
  const person = await createUser();
  return { person, start: await startCode(person), browser: await service.open().enterSite(person.id) };
}

/** An open page of enrolment, whose form is sent with a start code. */
async function enrolment(browser: ThreeHostsBrowser) {
  const { html } = await browser.get("web", ENTER);
  const shown = fieldsIn(html, ENROL);
  return (start: string) => browser.post("web", ENROL, { ...shown, start, code: codeOf(secretIn(html)) });
}

const send = async (browser: ThreeHostsBrowser, start: string) => (await enrolment(browser))(start);

const isEnrolled = async ({ id }: Person) => {
  const [row] = await sql<{ enrolled_at: Date | null }>(
    "select enrolled_at from operators where user_id = $1",
    [id],
  );
  return row !== undefined && row.enrolled_at !== null;
};

test("an operator's first entry needs the code that the command line printed, however it is written", async () => {
  const { person, start, browser } = await newOperator();
  expect(start).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const form = await enrolment(browser);
  for (const wrong of ["", "ABCD", "AAAA-BBBB-CCCC-DDDD"]) {
    const refused = await form(wrong);
    expect([refused.status, recoveryIn(refused.html)]).toEqual([422, []]);
  }
  expect(await isEnrolled(person)).toBe(false);
  expect((await browser.get("web", "/admin")).status).toBe(303);
  const shown = await form(` ${start.toLowerCase().replaceAll("-", " ")} `);
  expect([shown.status, recoveryIn(shown.html).length]).toEqual([200, 10]);
});

test("only a hash of the code is stored, and nothing of it once it was used", async () => {
  const { person, start, browser } = await newOperator();
  const stored = async () => {
    const [row] = await sql<{ code_hash: string | null }>("select * from operators where user_id = $1", [
      person.id,
    ]);
    return row;
  };
  expect((await stored())?.code_hash).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await stored())).not.toContain(start.replaceAll("-", "").slice(0, 8));
  await send(browser, start);
  expect(await stored()).toMatchObject({ code_hash: null, code_expires_at: null });
});

test("the code of another operator, an old one and an expired one open nothing", async () => {
  const [one, other] = [await newOperator(), await newOperator()];
  expect((await send(one.browser, other.start)).status).toBe(422);
  const newer = await startCode(one.person);
  expect((await send(one.browser, one.start)).html).toContain("is wrong");
  await sql("update operators set code_expires_at = now() where user_id = $1", [one.person.id]);
  const expired = await send(one.browser, newer);
  expect([expired.status, expired.html.includes("has expired")]).toEqual([422, true]);
  expect(await isEnrolled(one.person)).toBe(false);
  // The other's code was not used up.
  expect((await send(other.browser, other.start)).status).toBe(200);
});

test("of two browsers that send the code at once, one is enrolled and the other asked for its own code", async () => {
  const { person, start, browser } = await newOperator();
  const second = await service.open().enterSite(person.id);
  const forms = [await enrolment(browser), await enrolment(second)];
  const replies = await Promise.all(forms.map((form) => form(start)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 303]);
  expect(replies.map(({ html }) => recoveryIn(html).length).sort()).toEqual([0, 10]);
  const acts = await sql("select act from audit_log where target_id = $1 and act = 'operator.enrol'", [
    person.id,
  ]);
  expect(acts).toHaveLength(1);
});

test("guesses count with those at the second factor, and a new code lifts the wait", async () => {
  const { person, start, browser } = await newOperator();
  const form = await enrolment(browser);
  for (let n = 0; n < 5; n++) expect((await form("AAAA-BBBB-CCCC-DDDD")).status).toBe(422);
  const limited = await form(start);
  expect([limited.status, Number(limited.headers["retry-after"]) > 600]).toEqual([429, true]);
  expect(await isEnrolled(person)).toBe(false);
  expect((await form(await startCode(person, "reset"))).status).toBe(200);
});

test("a reset while the page is open ends its code, also one that was used a moment before", async () => {
  const { person, start, browser } = await newOperator();
  const form = await enrolment(browser);
  const newer = await startCode(person, "reset");
  expect((await form(start)).status).toBe(422);
  expect((await form(newer)).status).toBe(200);
  await startCode(person, "reset");
  expect((await form(newer)).status).toBe(422);
  expect(await isEnrolled(person)).toBe(false);
});

test("a removed operator's code opens nothing, not even once the role is back", async () => {
  const { person, start, browser } = await newOperator();
  const form = await enrolment(browser);
  await operate("remove", "--username", person.username);
  expect((await form(start)).status).toBe(404);
  const newer = await startCode(person);
  expect((await form(start)).status).toBe(422);
  expect((await form(newer)).status).toBe(200);
});

test("an enrolled operator who is added again gets no code, and stays enrolled", async () => {
  const { person, start, browser } = await newOperator();
  const form = await enrolment(browser);
  await form(start);
  expect(await operate("add", "--username", person.username)).toEqual({
    id: person.id,
    username: person.username,
  });
  expect((await form(start)).status).toBe(303);
  expect((await browser.get("web", "/admin")).status).toBe(200);
});

test("the list of operators tells until when a code works", async () => {
  const { person } = await newOperator();
  const { operators } = (await operate("list")) as {
    operators: { id: number; code_expires_at: string | null }[];
  };
  const until = operators.find(({ id }) => id === person.id)?.code_expires_at ?? "";
  const hours = (Date.parse(until) - Date.now()) / 3_600_000;
  expect(hours > 23.5 && hours <= 24.01).toBe(true);
});
