import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { type CaughtMail, mailsTo, mailTo } from "../../support/browser.ts";
import { createUser, type Person } from "../../support/people.ts";
import { deliver, runCron, sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { follows, likes, passMinutes } from "./news.support.ts";
import { fieldsIn, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
const PAGE = "/you/notifications/mails";
let ana: Person;
let fan: Person;
let track: { id: number };

beforeEach(async () => {
  [ana, fan] = [await createUser(), await createUser()];
  track = await createPlayableTrack(ana, { title: "Tide" });
});

const addressOf = ({ username }: Person) => `${username}@example.com`;

async function choose(who: Person, choices: Record<string, string>) {
  const saved = await (await service.enter(who)).submit(PAGE, PAGE, choices);
  expect(saved.status).toBe(303);
}

const MINUTELY = "* * * * *";

/** Lets the cron look, and waits until nothing is on its way to the user. */
async function look(who: Person): Promise<CaughtMail[]> {
  await passMinutes(who);
  await runCron(MINUTELY);
  await expect.poll(() => sql("select id from mails where user_id = $1", [who.id])).toEqual([]);
  return mailsTo(addressOf(who));
}

const endPathIn = ({ headers = {} }: CaughtMail) => {
  const [, address = ""] = /^<([^>]+)>$/.exec(headers["List-Unsubscribe"] ?? "") ?? [];
  return new URL(address).pathname;
};

const chosenOf = async (who: Person) =>
  (await sql<{ mail: string }>("select mail from news_mails where user_id = $1 order by mail", [who.id])).map(
    ({ mail }) => mail,
  );

test("nobody gets a mail unless they chose it", async () => {
  await likes(fan, track);
  expect((await (await service.enter(ana)).get("web", PAGE)).html).toContain("You get none unless");
  expect(await look(ana)).toEqual([]);
});

test("a kind that is chosen comes at once, as one mail an hour, with what its reader may see", async () => {
  await likes(fan, track);
  await choose(ana, { likes: "once" });
  await passMinutes(ana, 1);
  const [loud, gone] = [await createUser(), await createUser()];
  for (const who of [loud, gone]) await likes(who, track);
  await follows(loud, ana);
  await sql("update users set disabled_at = now() where id = $1", [gone.id]);
  const [mail, ...others] = await look(ana);
  expect(others).toEqual([]);
  expect(mail?.subject).toContain("New likes and reposts");
  expect(mail?.text).toContain(`${loud.username} liked your track Tide\n`);
  for (const absent of [gone.username, "followed you"]) expect(mail?.text).not.toContain(absent);
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(mail?.text).toContain("/you/notifications/mails\n");
  // The next is an hour away.
  const [{ wait } = { wait: 0 }] = await sql<{ wait: number }>(
    "select extract(epoch from next_look_at - now())::float8 as wait from news_mails where user_id = $1",
    [ana.id],
  );
  expect(Math.round(wait / 600)).toBe(6);
  expect(await look(ana)).toHaveLength(1);
});

test("the daily mail tells of several kinds in one", async () => {
  const artist = await createUser();
  await follows(ana, artist);
  await choose(ana, { comments: "daily", followers: "daily", tracks: "daily" });
  await api.as(fan).post(`/tracks/${track.id}/comments`, { json: { comment: { body: "Secret words" } } });
  await follows(fan, ana);
  await createPlayableTrack(artist, { title: "Fresh" });
  const [mail, ...others] = await look(ana);
  expect(others).toEqual([]);
  for (const sentence of [
    `${fan.username} commented on your track Tide`,
    `${fan.username} followed you`,
    "published Fresh",
  ])
    expect(mail?.text).toContain(sentence);
  // Others' words stay on the site.
  expect(mail?.text).not.toContain("Secret words");
});

test("a message that comes twice, and a cron that runs twice at once, send one mail", async () => {
  await choose(ana, { likes: "once" });
  await likes(fan, track);
  await passMinutes(ana);
  await Promise.all([runCron(MINUTELY), runCron(MINUTELY)]);
  await mailTo(addressOf(ana), "New likes");
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(
    `insert into mails (user_id, kind, recipient, facts, next_attempt_at) select $1, 'news', $2,
      jsonb_build_object('mail', 'likes', 'since', 0, 'until', 9000000000000000), now() + interval '1 hour' returning id::float8`,
    [ana.id, addressOf(ana)],
  );
  await sql("update mails set next_attempt_at = now() where id = $1", [id]);
  const message = { body: { mail: id } };
  await Promise.all([deliver("mails", [message, message]), deliver("mails", [message])]);
  await expect.poll(() => sql("select 1 from mails where user_id = $1", [ana.id])).toEqual([]);
  expect(await mailsTo(addressOf(ana))).toHaveLength(2);
});

test.each([
  ["the reader has ended it", "delete from news_mails where user_id = $1"],
  ["the address is no longer confirmed", "update accounts set confirmed_at = null where user_id = $1"],
  ["the address has changed", "update accounts set email = 'x' || email where user_id = $1"],
  ["the reader is suspended", "update users set disabled_at = now() where id = $1"],
  [
    "the act was undone",
    "delete from favorites where track_id in (select id from tracks where user_id = $1)",
  ],
])("a queued mail is not sent if meanwhile %s", async (_, change) => {
  await choose(ana, { likes: "once" });
  await likes(fan, track);
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(
    `insert into mails (user_id, kind, recipient, facts, next_attempt_at) select $1, 'news', $2,
      jsonb_build_object('mail', 'likes', 'since', 0, 'until', 9000000000000000), now() + interval '1 hour' returning id::float8`,
    [ana.id, addressOf(ana)],
  );
  await sql(change, [ana.id]);
  await sql("update mails set next_attempt_at = now() where id = $1", [id]);
  await deliver("mails", [{ body: { mail: id } }]);
  await expect.poll(() => sql("select 1 from mails where id = $1", [id])).toEqual([]);
  expect(await mailsTo(addressOf(ana))).toEqual([]);
});

test("one press in the mail program ends that kind alone, without a sign-in and as often as it is sent", async () => {
  await choose(ana, { likes: "once", followers: "once", comments: "daily" });
  await likes(fan, track);
  const [mail] = await look(ana);
  if (!mail) throw new Error("no mail came");
  const path = endPathIn(mail);
  const visitor = service.open();
  // Scanners open links, and some send forms without knowing what is in them.
  const page = await visitor.get("web", path);
  expect(page.status).toBe(200);
  for (const secret of [ana.username, addressOf(ana), String(ana.id)])
    expect(page.html + path).not.toContain(secret);
  await visitor.post("web", path, {});
  expect(await chosenOf(ana)).toEqual(["daily", "followers", "likes"]);
  for (const _ of ["once", "again"]) {
    const ended = await visitor.post("web", path, { "List-Unsubscribe": "One-Click" });
    expect([ended.status, ended.location]).toEqual([200, undefined]);
    expect(await chosenOf(ana)).toEqual(["daily", "followers"]);
  }
  // Some send it in parts. Somebody else's session changes nothing.
  await choose(ana, { likes: "once" });
  await choose(fan, { likes: "once" });
  await (await service.enter(fan)).postParts("web", path, { "List-Unsubscribe": "One-Click" });
  expect([await chosenOf(ana), await chosenOf(fan)]).toEqual([["daily", "followers"], ["likes"]]);
  const forged = path.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const link of [forged, `${path}A`, path.slice(0, -9), "/you/notifications/mails/end/x"])
    expect((await visitor.get("web", link)).status, link).toBe(404);
});

test("the choices are kept, and changed one by one", async () => {
  await choose(fan, { tracks: "daily", followers: "once" });
  await choose(ana, { likes: "once", comments: "daily" });
  await choose(ana, { followers: "daily" });
  const browser = await service.enter(ana);
  const { html, queries } = await browser.get("web", PAGE);
  expect(queries).toBe(1);
  expect(fieldsIn(html, PAGE)).toMatchObject({
    comments: "daily",
    followers: "daily",
    likes: "once",
    tracks: "off",
  });
  const nonsense = await browser.submit(PAGE, PAGE, { likes: "weekly" });
  expect(nonsense.status).toBe(422);
  expect(nonsense.html).toContain("Likes and reposts must be one of");
  await choose(ana, { likes: "off", comments: "off", followers: "off" });
  expect(await chosenOf(ana)).toEqual([]);
});

test("a mail that was refused for good holds back the next of its kind", async () => {
  await choose(ana, { likes: "once" });
  // It has expired, so that no operator of another file sends it again.
  await sql(
    `insert into mails (user_id, kind, recipient, facts, state, next_attempt_at, expires_at)
     values ($1, 'news', $2, '{"mail": "likes", "since": 0, "until": 0}', 'failed', null, '-infinity')`,
    [ana.id, addressOf(ana)],
  );
  await likes(fan, track);
  await passMinutes(ana);
  await runCron(MINUTELY);
  expect(await sql("select 1 from mails where user_id = $1", [ana.id])).toHaveLength(1);
  await sql("delete from mails where user_id = $1", [ana.id]);
  expect(await look(ana)).toHaveLength(1);
});
