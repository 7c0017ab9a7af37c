import { beforeAll, expect, test } from "vitest";
import { credit } from "../../api/credits/credits.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { budgetIn, use, useInAllApps } from "./budgets.support.ts";

let owner: Person;

beforeAll(async () => {
  owner = await createUser();
});

const inAnotherApp = async (who: Person): Promise<Person> => {
  const app = await createApp();
  return { ...who, app, token: await tokenOf(app, who.username) };
};
const like = async (by: Person) =>
  api.as(by).post<ErrorReply>(`/likes/tracks/${(await createTrack(owner)).id}`);

test("each app of a user has a budget of its own, and so has each user of an app", async () => {
  const [who, other] = [await createUser(), await createUser()];
  const elsewhere = await inAnotherApp(who);
  await use(who, "likes", 1_000);
  expect((await like(who)).status).toBe(429);
  expect(budgetIn(await like(elsewhere))).toMatchObject({ remaining: 999 });
  expect(budgetIn(await like(other))).toMatchObject({ remaining: 999 });
});

test("the apps of a user share a cap of twice that, which replies state once it is the tighter limit", async () => {
  const who = await createUser();
  await useInAllApps(who, "likes", 1_998);
  const last = await like(who);
  expect([last.status, last.headers.get("RateLimit"), last.headers.get("RateLimit-Policy")]).toEqual([
    200,
    expect.stringMatching(/^"likes-by-all-apps";r=1;t=\d+$/),
    '"likes-by-all-apps";q=2000;w=3600',
  ]);
  expect((await like(await inAnotherApp(who))).status).toBe(200);
  const refused = await like(await inAnotherApp(who));
  expect([refused.status, budgetIn(refused)]).toEqual([
    429,
    { name: "likes-by-all-apps", remaining: 0, resetS: Number(refused.headers.get("Retry-After")) },
  ]);
  expect(refused.body.errors[0]).toMatchObject({
    error_message: "Too many likes by all apps together: 2000 an hour are allowed",
    meta: { rate_limit: { bucket: "by-user", name: "likes-by-all-apps", max_nr_of_requests: 2_000 } },
  });
  expect(await sql("select from favorites where user_id = $1", [who.id])).toHaveLength(2);
});

test("a refusal by either limit counts against neither", async () => {
  const who = await createUser();
  const taken = () =>
    sql("select taken from budgets where bucket like $1 order by bucket", [`likes ${who.id}%`]);
  for (const [inAll, inApp] of [
    [2_000, 7],
    [9, 1_000],
  ] as const) {
    await useInAllApps(who, "likes", inAll);
    await use(who, "likes", inApp);
    expect((await like(who)).status).toBe(429);
    expect(await taken()).toEqual([{ taken: inAll }, { taken: inApp }]);
  }
});

test("the cap is exact under concurrent requests of several apps", async () => {
  const who = await createUser();
  await useInAllApps(who, "likes", 1_990);
  const apps = [who, await inAnotherApp(who), await inAnotherApp(who)];
  const replies = await Promise.all(apps.flatMap((by) => Array.from({ length: 6 }, () => like(by))));
  expect(replies.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 8 }, () => 429),
  ]);
});

test("a refusal to ask some artists counts nobody: fewer, for whom the budget lasts, are asked afterwards", async () => {
  const who = await createUser();
  const track = await createTrack(who);
  const artists = [owner, await createUser(), await createUser()].map(({ id }) => ({ user_id: id }));
  await use(who, "credits", 98);
  await useInAllApps(who, "credits", 150);
  expect((await credit(who, track, artists)).status).toBe(429);
  const asked = await credit(who, track, artists.slice(1));
  expect([asked.status, budgetIn(asked)]).toEqual([200, expect.objectContaining({ remaining: 0 })]);
  const taken = await sql("select taken from budgets where bucket = $1", [`credits ${who.id}`]);
  expect(taken).toEqual([{ taken: 152 }]);
});
