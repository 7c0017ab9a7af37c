import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, workerLog } from "../../support/stack.ts";
import {
  BACK,
  begin,
  beginAndDecide,
  comeBack,
  connectionsOf,
  createConnection,
  isUnderWay,
  roundTrip,
  stateIn,
} from "./connections.support.ts";

const namesOf = async (who: Person) =>
  (await connectionsOf(who)).map(({ service, display_name }) => `${service} ${display_name}`).sort();

test("a user who allows returns with success, and the profile is connected", async () => {
  const ana = await createUser();
  const { status, location, reply } = await comeBack(await beginAndDecide(ana, {}, { name: "Ana" }), ana);
  expect([status, location]).toEqual([303, `${BACK}&success=true`]);
  expect(reply.headers.get("Cache-Control")).toBe("no-store");
  expect(reply.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(await namesOf(ana)).toEqual(["twitter Ana"]);
});

test("one consent may connect a profile and its pages", async () => {
  const ana = await createUser();
  const service = "facebook_profile";
  await roundTrip(ana, { service, post_publish: true }, { name: "Ana", pages: "Band, Label, Band" });
  expect(await namesOf(ana)).toEqual(["facebook_page Band", "facebook_page Label", "facebook_profile Ana"]);
  for (const { post_publish } of await connectionsOf(ana)) expect(post_publish).toBe(true);
});

test("pages alone are connected if requested", async () => {
  const ana = await createUser();
  await roundTrip(ana, { service: "facebook_page" }, { name: "Ana", pages: "Band" });
  expect(await namesOf(ana)).toEqual(["facebook_page Band"]);
});

test("a user who refuses returns without success, and nothing is connected", async () => {
  const ana = await createUser();
  expect(await roundTrip(ana, {}, { decision: "deny" })).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test.each(["refuses-code", "breaks-down", "rubbish", "too-long", "leads-on", "silent", "nobody"])(
  "a failing service (%s) leaves nothing half connected (API10)",
  async (behaviour) => {
    const ana = await createUser();
    const service = "facebook_profile";
    expect(await roundTrip(ana, { service }, { behaviour, pages: "Band" })).toBe(`${BACK}&success=false`);
    expect(await connectionsOf(ana)).toEqual([]);
  },
);

test("a profile connected again keeps its id and gets its current name", async () => {
  const ana = await createUser();
  const before = await createConnection(ana, "Ana", { post_favorite: true });
  const [tokens] = await sql("select tokens_sealed from connections where id = $1", [before.id]);
  await sql("update connections set display_name = 'Old' where id = $1", [before.id]);
  await roundTrip(ana, { post_publish: true }, { name: "Ana" });
  expect(await connectionsOf(ana)).toEqual([{ ...before, post_publish: true }]);
  expect(await sql("select tokens_sealed from connections where id = $1", [before.id])).not.toEqual([tokens]);
});

test("two users may connect the same profile, and concurrent round trips create one connection", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const ends = await Promise.all(
    [ana, ana, ana, ben].map(async (who) => comeBack(await beginAndDecide(who, {}, { name: "Both" }), who)),
  );
  expect(ends.map(({ location }) => location)).toEqual(ends.map(() => `${BACK}&success=true`));
  for (const who of [ana, ben]) expect(await namesOf(who)).toEqual(["twitter Both"]);
});

/** Expires the attempt, as after ten minutes. */
const outdate = (who: Person) =>
  sql(
    `update connection_attempts a set expires_at = now() - interval '1 second'
     from sessions s where s.id = a.session_id and s.user_id = $1`,
    [who.id],
  );

/** Expects a page of ours that explains and redirects nowhere. */
async function expectRefused(callback: string, who?: Person, status = 400): Promise<void> {
  const refused = await comeBack(callback, who);
  expect([refused.status, refused.location]).toEqual([status, null]);
  expect(refused.reply.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(refused.reply.headers.get("Cache-Control")).toBe("no-store");
  expect(refused.html).not.toContain("client.example");
}

const FORMS: [form: Record<string, string>, success: boolean][] = [
  [{ name: "Ana" }, true],
  [{ decision: "deny" }, false],
  [{ behaviour: "rubbish" }, false],
];

test("a used state leads nowhere for others, whatever its first outcome", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  for (const [form] of FORMS) {
    const callback = await beginAndDecide(ana, {}, form);
    await comeBack(callback, ana);
    await expectRefused(callback);
    await expectRefused(callback, ben);
  }
  expect(await namesOf(ana)).toEqual(["twitter Ana"]);
});

test("a user whose reply was lost gets the same result, and nothing happens twice", async () => {
  const ana = await createUser();
  for (const [form, success] of FORMS) {
    const callback = await beginAndDecide(ana, {}, form);
    const first = await comeBack(callback, ana);
    await sql("update connections set display_name = 'Kept' where user_id = $1", [ana.id]);
    const again = await comeBack(callback, ana);
    for (const { status, location } of [first, again])
      expect([status, location]).toEqual([303, `${BACK}&success=${success}`]);
    expect(await namesOf(ana)).toEqual(["twitter Kept"]);
  }
});

test("an answer whose Worker died counts as a failure after a minute", async () => {
  const ana = await createUser();
  const callback = await beginAndDecide(ana);
  const taken = (age: string) =>
    sql(
      `update connection_attempts a set taken_at = now() - $2::interval from sessions s
       where s.id = a.session_id and s.user_id = $1`,
      [ana.id, age],
    );
  await taken("10 seconds");
  const running = await comeBack(callback, ana);
  expect([running.status, running.location]).toEqual([409, null]);
  await taken("61 seconds");
  expect((await comeBack(callback, ana)).location).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("one of several concurrent answers is processed", async () => {
  const ana = await createUser();
  const callback = await beginAndDecide(ana);
  const ends = await Promise.all([1, 2, 3, 4].map(() => comeBack(callback, ana)));
  expect(ends.map(({ status }) => status)).toContain(303);
  for (const { status, location } of ends)
    expect([
      [303, `${BACK}&success=true`],
      [409, null],
    ]).toContainEqual([status, location]);
  expect(await connectionsOf(ana)).toHaveLength(1);
});

test("a forged, missing, repeated or expired state leads nowhere", async () => {
  const ana = await createUser();
  const callback = await beginAndDecide(ana);
  const state = stateIn(callback);
  for (const wrong of [
    "",
    state.slice(1),
    `${state}a`,
    state.toUpperCase(),
    "%00",
    "'--",
    "a".repeat(20_000),
  ])
    await expectRefused(callback.replace(state, wrong), ana);
  await expectRefused(callback.replace(/state=[\w-]+&/, ""), ana);
  await expectRefused(`${callback}&state=${state}`, ana);
  await outdate(ana);
  await expectRefused(callback, ana);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("a state works only for its own service", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const twitter = (await begin(ana)).body.authorize_url;
  const other = await beginAndDecide(ben, { service: "myspace" });
  const mixed = other.replace(stateIn(other), stateIn(twitter));
  expect((await comeBack(mixed, ana)).location).toBe(`${BACK}&success=false`);
  for (const who of [ana, ben]) expect(await connectionsOf(who)).toEqual([]);
});

test("a code of another round trip is refused", async () => {
  const [ana, ben] = [await createUser(), await createUser()];
  const [hers, his] = [await beginAndDecide(ana), await beginAndDecide(ben)];
  const swapped = hers.replace(/code=[\w-]+/, `code=${new URL(his).searchParams.get("code")}`);
  expect((await comeBack(swapped, ana)).location).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("malformed answers count as refusals", async () => {
  const ana = await createUser();
  for (const change of ["&error=access_denied", "&iss=https://evil.example", "&code=2", "&response=x"]) {
    const callback = `${await beginAndDecide(ana)}${change}`;
    expect([change, (await comeBack(callback, ana)).location]).toEqual([change, `${BACK}&success=false`]);
  }
  const bare = (await beginAndDecide(ana)).replace(/&code=.*/, "");
  expect((await comeBack(bare, ana)).location).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("an ended session ends the attempts it began", async () => {
  const ana = await createUser();
  const callback = await beginAndDecide(ana);
  expect((await api.as(ana).post("/sign-out", { json: { access_token: ana.token } })).status).toBe(200);
  await expectRefused(callback, ana);
  expect(await sql("select from connections where user_id = $1", [ana.id])).toEqual([]);
});

test("state, code, tokens and our secret are neither stored in clear, logged nor returned (X91, X93)", async () => {
  const ana = await createUser();
  const callback = await beginAndDecide(
    ana,
    { service: "facebook_profile" },
    { name: "Quiet", pages: "Quiet Band" },
  );
  const secrets = [stateIn(callback), new URL(callback).searchParams.get("code") ?? ""];
  const stored = async () =>
    JSON.stringify(
      await sql(
        `select to_jsonb(c) as row, encode(c.tokens_sealed, 'escape') from connections c where user_id = $1
         union all select to_jsonb(a), encode(a.verifier_sealed, 'escape') from connection_attempts a`,
        [ana.id],
      ),
    );
  const during = await stored();
  const { html, location } = await comeBack(callback, ana);
  const after = await stored();
  expect(after).toContain("Quiet Band");
  const exposedTexts = [
    during,
    after,
    html,
    location,
    JSON.stringify(workerLog()),
    JSON.stringify(await connectionsOf(ana)),
  ];
  for (const text of exposedTexts) {
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/access_token|page-\d/);
  }
});

test("the log explains a failure in our own words", async () => {
  const ana = await createUser();
  await roundTrip(ana, {}, { behaviour: "rubbish" });
  await roundTrip(ana, {}, { decision: "deny" });
  const lines = () =>
    workerLog().filter(({ route, service }) => route === "/connections/callback" && service === "twitter");
  await expect.poll(() => lines().map(({ connection }) => connection)).toContain("refused");
  expect(lines().find(({ connection }) => connection === "failed")).toMatchObject({
    error: expect.any(String),
  });
});

test("repeated attempts keep the latest, and abandoned ones are swept", async () => {
  const ana = await createUser();
  const begun: string[] = [];
  for (let times = 0; times < 22; times++) begun.push((await begin(ana)).body.authorize_url);
  expect(await isUnderWay(begun[0] ?? "")).toBe(false);
  for (const recentUrl of begun.slice(-20)) expect(await isUnderWay(recentUrl)).toBe(true);
  await outdate(ana);
  await runCron("*/5 * * * *");
  expect(await isUnderWay(begun.at(-1) ?? "")).toBe(false);
});
