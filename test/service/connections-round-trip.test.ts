import { expect, test } from "vitest";
import { api } from "../support/api.ts";
import { aMember } from "../support/browser.ts";
import { anApp, type Person, someone, tokenOf } from "../support/people.ts";
import { runCron, sql, workerLog } from "../support/stack.ts";
import {
  aConnection,
  BACK,
  begin,
  comeBack,
  connectionsOf,
  decide,
  decided,
  isUnderWay,
  roundTrip,
  stateIn,
} from "./connecting.ts";

const namesOf = async (who: Person) =>
  (await connectionsOf(who)).map(({ service, display_name }) => `${service} ${display_name}`).sort();

test("whoever allows it is sent back with success, and the profile stands", async () => {
  const ana = await someone();
  const { status, location, reply } = await comeBack(await decided(ana, {}, { name: "Ana" }));
  expect([status, location]).toEqual([303, `${BACK}&success=true`]);
  expect(reply.headers.get("Cache-Control")).toBe("no-store");
  expect(reply.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(await namesOf(ana)).toEqual(["twitter Ana"]);
});

test("one consent may connect several: a profile and its pages", async () => {
  const ana = await someone();
  const service = "facebook_profile";
  await roundTrip(ana, { service, post_publish: true }, { name: "Ana", pages: "Band, Label, Band" });
  expect(await namesOf(ana)).toEqual(["facebook_page Band", "facebook_page Label", "facebook_profile Ana"]);
  for (const { post_publish } of await connectionsOf(ana)) expect(post_publish).toBe(true);
});

test("pages alone are connected where they are what was asked for", async () => {
  const ana = await someone();
  await roundTrip(ana, { service: "facebook_page" }, { name: "Ana", pages: "Band" });
  expect(await namesOf(ana)).toEqual(["facebook_page Band"]);
});

test("whoever refuses is sent back without success, and nothing stands", async () => {
  const ana = await someone();
  expect(await roundTrip(ana, {}, { decision: "deny" })).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test.each(["refuses-code", "breaks-down", "rubbish", "too-long", "leads-on", "silent", "nobody"])(
  "API10: where the service fails (%s), nothing is half made",
  async (behaviour) => {
    const ana = await someone();
    const service = "facebook_profile";
    expect(await roundTrip(ana, { service }, { behaviour, pages: "Band" })).toBe(`${BACK}&success=false`);
    expect(await connectionsOf(ana)).toEqual([]);
  },
);

test("a profile that is connected again keeps its id, and is shown as it is called now", async () => {
  const ana = await someone();
  const before = await aConnection(ana, "Ana", { post_favorite: true });
  const [tokens] = await sql("select tokens_sealed from connections where id = $1", [before.id]);
  await sql("update connections set display_name = 'Old' where id = $1", [before.id]);
  await roundTrip(ana, { post_publish: true }, { name: "Ana" });
  expect(await connectionsOf(ana)).toEqual([{ ...before, post_publish: true }]);
  expect(await sql("select tokens_sealed from connections where id = $1", [before.id])).not.toEqual([tokens]);
});

test("the same profile may be connected by two people, and of the same round trip at once one is made", async () => {
  const [ana, ben] = [await someone(), await someone()];
  const callbacks = await Promise.all([ana, ana, ana, ben].map((who) => decided(who, {}, { name: "Both" })));
  const ends = await Promise.all(callbacks.map(comeBack));
  expect(ends.map(({ location }) => location)).toEqual(callbacks.map(() => `${BACK}&success=true`));
  for (const who of [ana, ben]) expect(await namesOf(who)).toEqual(["twitter Both"]);
});

/** As ten minutes do. */
const outdate = (who: Person) =>
  sql(
    `update connection_attempts a set expires_at = now() - interval '1 second'
     from sessions s where s.id = a.session_id and s.user_id = $1`,
    [who.id],
  );

/** A page of ours that says what happened, and leads nowhere. */
async function expectRefused(callback: string, status = 400): Promise<void> {
  const refused = await comeBack(callback);
  expect([refused.status, refused.location]).toEqual([status, null]);
  expect(refused.reply.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(refused.reply.headers.get("Cache-Control")).toBe("no-store");
  expect(refused.html).not.toContain("client.example");
}

test("a state that was used leads nowhere, whatever came of it the first time", async () => {
  const ana = await someone();
  const forms: Record<string, string>[] = [{ name: "Ana" }, { decision: "deny" }, { behaviour: "rubbish" }];
  for (const form of forms) {
    const callback = await decided(ana, {}, form);
    await comeBack(callback);
    await expectRefused(callback);
  }
  expect(await namesOf(ana)).toEqual(["twitter Ana"]);
});

test("of one answer that comes twice at once, one counts", async () => {
  const callback = await decided(await someone());
  const ends = await Promise.all([1, 2, 3, 4].map(() => comeBack(callback)));
  expect(ends.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
});

test("a state that is forged, missing, doubled or too old leads nowhere", async () => {
  const ana = await someone();
  const callback = await decided(ana);
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
    await expectRefused(callback.replace(state, wrong));
  await expectRefused(callback.replace(/state=[\w-]+&/, ""));
  await expectRefused(`${callback}&state=${state}`);
  await outdate(ana);
  await expectRefused(callback);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("a state is for the service that it was made for", async () => {
  const [ana, ben] = [await someone(), await someone()];
  const twitter = (await begin(ana)).body.authorize_url;
  const other = await decided(ben, { service: "myspace" });
  const mixed = other.replace(stateIn(other), stateIn(twitter));
  expect((await comeBack(mixed)).location).toBe(`${BACK}&success=false`);
  for (const who of [ana, ben]) expect(await connectionsOf(who)).toEqual([]);
});

test("a code of one round trip is worth nothing in another", async () => {
  const [ana, ben] = [await someone(), await someone()];
  const [hers, his] = [await decided(ana), await decided(ben)];
  const swapped = hers.replace(/code=[\w-]+/, `code=${new URL(his).searchParams.get("code")}`);
  expect((await comeBack(swapped)).location).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("answers that are no answers are as refusals", async () => {
  const ana = await someone();
  for (const change of ["&error=access_denied", "&iss=https://evil.example", "&code=2", "&response=x"]) {
    const callback = `${await decided(ana)}${change}`;
    expect([change, (await comeBack(callback)).location]).toEqual([change, `${BACK}&success=false`]);
  }
  const bare = (await decided(ana)).replace(/&code=.*/, "");
  expect((await comeBack(bare)).location).toBe(`${BACK}&success=false`);
  expect(await connectionsOf(ana)).toEqual([]);
});

test("a session that ended takes what it began with it", async () => {
  const ana = await someone();
  const callback = await decided(ana);
  expect((await api.as(ana).post("/sign-out", { json: { access_token: ana.token } })).status).toBe(200);
  await expectRefused(callback);
  expect(await sql("select from connections where user_id = $1", [ana.id])).toEqual([]);
});

test("a browser that is signed in here connects its own account alone", async () => {
  const [ana, ben] = [await aMember(), await aMember()];
  const token = await tokenOf(await anApp(), ana.username);
  const callback = async () => {
    const { pathname, search } = new URL(await decide((await begin({ token })).body.authorize_url));
    return pathname + search;
  };
  const given = await callback();
  const refused = await ben.browser.get(given);
  expect([refused.status, refused.headers.location]).toEqual([403, undefined]);
  expect((await ana.browser.get(given)).status).toBe(400);
  expect(await sql("select from connections where user_id in ($1, $2)", [ana.id, ben.id])).toEqual([]);

  const own = await ana.browser.get(await callback());
  expect([own.status, own.headers.location]).toEqual([303, `${BACK}&success=true`]);
});

test("X91, X93: neither state, code, tokens nor our secret is stored as it is, logged or told", async () => {
  const ana = await someone();
  const callback = await decided(
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
  const { html, location } = await comeBack(callback);
  const after = await stored();
  expect(after).toContain("Quiet Band");
  const told = [
    during,
    after,
    html,
    location,
    JSON.stringify(workerLog()),
    JSON.stringify(await connectionsOf(ana)),
  ];
  for (const text of told) {
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/access_token|page-\d/);
  }
});

test("why it failed is in the log, in our own words", async () => {
  const ana = await someone();
  await roundTrip(ana, {}, { behaviour: "rubbish" });
  await roundTrip(ana, {}, { decision: "deny" });
  const lines = () =>
    workerLog().filter(({ route, service }) => route === "/connections/callback" && service === "twitter");
  await expect.poll(() => lines().map(({ connection }) => connection)).toContain("refused");
  expect(lines().find(({ connection }) => connection === "failed")).toMatchObject({
    error: expect.any(String),
  });
});

test("beginning again and again keeps the latest, and what nobody came back with is swept", async () => {
  const ana = await someone();
  const begun: string[] = [];
  for (let times = 0; times < 22; times++) begun.push((await begin(ana)).body.authorize_url);
  expect(await isUnderWay(begun[0] ?? "")).toBe(false);
  for (const kept of begun.slice(-20)) expect(await isUnderWay(kept)).toBe(true);
  await outdate(ana);
  await runCron("*/5 * * * *");
  expect(await isUnderWay(begun.at(-1) ?? "")).toBe(false);
});
