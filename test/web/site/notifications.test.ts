import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { follows, likes, reposts, rowsIn } from "./news.support.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
const PAGE = "/you/notifications";
let ana: Person;
let track: { id: number };

beforeEach(async () => {
  ana = await createUser();
  track = await createPlayableTrack(ana, { title: "Tide <i>" });
});

const comments = async (who: Person, body: string, fields: object = {}) =>
  (
    await api
      .as(who)
      .post<{ id: number }>(`/tracks/${track.id}/comments`, { json: { comment: { body, ...fields } } })
  ).body;

const pageOf = async (who: Person, path = PAGE) => (await (await service.enter(who)).get("web", path)).html;

const countFor = async (who: Person) =>
  JSON.parse((await (await service.enter(who)).get("web", `${PAGE}/count`)).html).unseen as number;

test("what several people did to one thing on one day is one row", async () => {
  const fans = [await createUser(), await createUser(), await createUser(), await createUser()];
  for (const fan of fans) await likes(fan, track);
  const [first, second, third, fourth] = fans.map(({ username }) => username);
  const [row, ...others] = rowsIn(await pageOf(ana));
  expect(row).toBe(`New ${fourth}, ${third} and 2 others liked your track Tide &lt;i&gt; · today`);
  expect(others).toEqual([]);
  // A like of another day stands apart.
  await sql("update activities set id = id - 86400000::bigint * 4096 where actor_id = $1", [fans[0]?.id]);
  expect(rowsIn(await pageOf(ana))).toEqual([
    `New ${fourth}, ${third} and ${second} liked your track Tide &lt;i&gt; · today`,
    `New ${first} liked your track Tide &lt;i&gt; · yesterday`,
  ]);
});

test("reposts, sets, follows, comments and replies have rows of their own, in one statement", async () => {
  const fan = await createUser();
  const set = await api
    .as(ana)
    .post<{ id: number }>("/playlists", { json: { playlist: { title: "Evening", sharing: "public" } } });
  await reposts(fan, track);
  await api.as(fan).post(`/likes/playlists/${set.body.id}`);
  await api.as(fan).post(`/reposts/playlists/${set.body.id}`);
  await follows(fan, ana);
  const said = await comments(fan, "So <b>good</b>", { timestamp: 65_000 });
  const answer = await comments(ana, "Thanks", { parent_id: said.id });
  const browser = await service.enter(ana);
  const { html, queries } = await browser.get("web", PAGE);
  expect(queries).toBe(1);
  expect(rowsIn(html)).toEqual([
    `New ${fan.username} commented on your track Tide &lt;i&gt; · today “So good” at 1:05`,
    `New ${fan.username} followed you · today`,
    `New ${fan.username} reposted your set Evening · today`,
    `New ${fan.username} liked your set Evening · today`,
    `New ${fan.username} reposted your track Tide &lt;i&gt; · today`,
  ]);
  expect(html).toContain(`#comment-${said.id}"`);
  await api.as(ana).put(`/playlists/${set.body.id}/podcast`, { json: { podcast: { category: "Music" } } });
  expect(rowsIn(await pageOf(ana)).join()).toContain(`${fan.username} liked your podcast Evening`);
  expect(html).toContain(`action="/you/acts/follow/${fan.id}"`);
  const [reply] = rowsIn(await pageOf(fan));
  expect(reply).toBe(`New ${ana.username} replied to you on Tide &lt;i&gt; · today “Thanks” at 1:05`);
  expect(await pageOf(fan)).toContain(`#comment-${answer.id}"`);
  // Undone acts disappear, and nobody is told of their own.
  await api.as(fan).delete(`/reposts/tracks/${track.id}`);
  await api.as(fan).delete(`/likes/playlists/${set.body.id}`);
  await likes(ana, track);
  expect(rowsIn(await pageOf(ana)).map((row) => row.split(" ")[2])).toEqual([
    "commented",
    "followed",
    "reposted",
  ]);
});

test("the filters show comments or followers alone, and each follower can be followed back", async () => {
  const [fan, other] = [await createUser(), await createUser()];
  await likes(fan, track);
  await comments(fan, "Yes");
  for (const who of [fan, other]) await follows(who, ana);
  const onlyComments = rowsIn(await pageOf(ana, `${PAGE}?show=comments`));
  expect(onlyComments).toEqual([expect.stringContaining("commented on")]);
  const browser = await service.enter(ana);
  const { html } = await browser.get("web", `${PAGE}?show=follows`);
  expect(rowsIn(html)).toHaveLength(2);
  const back = await browser.submit(`${PAGE}?show=follows`, `/you/acts/follow/${other.id}`);
  expect(back.status).toBe(303);
  expect((await browser.get("web", `${PAGE}?show=follows`)).html).toContain(`/you/acts/unfollow/${other.id}`);
});

test("a day's publications of the followed are one row, which the bell does not count", async () => {
  const [ben, fan] = [await createUser(), await createUser()];
  for (const whom of [ana, ben]) await follows(fan, whom);
  expect(rowsIn(await pageOf(fan))).toEqual([`New ${ana.username} published Tide &lt;i&gt; · today`]);
  await createPlayableTrack(ben, { title: "Low" });
  await createPlayableTrack(ben, { title: "Hidden", sharing: "private" });
  await api.as(ana).post("/playlists", { json: { playlist: { title: "Evening", sharing: "public" } } });
  const browser = await service.enter(fan);
  const { html, queries } = await browser.get("web", PAGE);
  expect(queries).toBe(1);
  expect(rowsIn(html)).toEqual([
    `New ${ana.username} and ${ben.username} published Evening and 2 more · today`,
  ]);
  expect(await countFor(fan)).toBe(0);
});

test("opening the page writes nothing; its form marks what it showed, and nothing newer", async () => {
  const fan = await createUser();
  await likes(fan, track);
  await comments(fan, "Yes");
  expect(await countFor(ana)).toBe(2);
  const browser = await service.enter(ana);
  const { html } = await browser.get("web", PAGE);
  expect(await countFor(ana)).toBe(2);
  await follows(fan, ana);
  const [, token = "", until = ""] = /<news-seen data-token="([^"]+)" data-until="(\d+)"/.exec(html) ?? [];
  const seen = { form_token: token, until };
  expect((await browser.post("web", `${PAGE}/seen`, seen)).status).toBe(303);
  expect(await countFor(ana)).toBe(1);
  expect((await browser.post("web", `${PAGE}/seen`, { ...seen, until: "1" })).status).toBe(303);
  expect(await countFor(ana)).toBe(1);
  // A page cannot mark what is yet to come.
  await browser.post("web", `${PAGE}/seen`, { ...seen, until: "9007199254740991" });
  expect(await countFor(ana)).toBe(0);
  await comments(fan, "Again");
  expect(await countFor(ana)).toBe(1);
  expect((await browser.post("web", `${PAGE}/seen`, { ...seen, until: "x" })).status).toBe(400);
  expect((await browser.post("web", `${PAGE}/seen`, { until })).status).toBe(403);
  const rows = (await browser.get("web", PAGE)).html.match(/<li class="row news-row[^"]*"/g);
  expect(rows?.filter((row) => row.includes('new"'))).toHaveLength(1);
});

test("the count is nobody's but the reader's", async () => {
  expect(JSON.parse((await service.open().get("web", `${PAGE}/count`)).html)).toEqual({ unseen: 0 });
  const reply = await (await service.enter(ana)).get("web", `${PAGE}/count`);
  expect([reply.queries, reply.headers["cache-control"]]).toEqual([1, "private, no-store"]);
});

test("nothing is told of people who left, of deleted comments, or of tracks that the reader no longer sees", async () => {
  const [gone, fan] = [await createUser(), await createUser()];
  await likes(gone, track);
  await follows(gone, ana);
  await sql("update users set disabled_at = now() where id = $1", [gone.id]);
  const deleted = await comments(fan, "No");
  await api.as(fan).delete(`/tracks/${track.id}/comments/${deleted.id}`);
  expect([rowsIn(await pageOf(ana)), await countFor(ana)]).toEqual([[], 0]);
  const first = await comments(fan, "First");
  await comments(ana, "Reply", { parent_id: first.id });
  expect(rowsIn(await pageOf(fan))).toHaveLength(1);
  for (const hidden of [
    "sharing = 'private'",
    "reveal_comments = false",
    "sharing = 'private', taken_down_at = now()",
  ]) {
    await sql(`update tracks set ${hidden} where id = $1`, [track.id]);
    expect([rowsIn(await pageOf(fan)), await countFor(fan)], hidden).toEqual([[], 0]);
    await sql(
      "update tracks set sharing = 'public', reveal_comments = true, taken_down_at = null where id = $1",
      [track.id],
    );
  }
  expect(await countFor(fan)).toBe(1);
});

test("pages neither split nor repeat a group", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => createUser()));
  const tracks = [];
  for (let at = 0; at < 35; at++) tracks.push(await createPlayableTrack(ana, { title: `Song ${at} end` }));
  // Each likes all, so that the likes of every track lie far apart.
  for (const who of people)
    await sql("insert into favorites (user_id, track_id) select $1, unnest($2::bigint[])", [
      who.id,
      tracks.map(({ id }) => id),
    ]);
  const first = await pageOf(ana);
  const [, next = ""] = /href="([^"]+)"[^>]*>\s*More/.exec(first) ?? [];
  const rows = [...rowsIn(first), ...rowsIn(await pageOf(ana, next.replaceAll("&amp;", "&")))];
  const titles = rows.map((row) => /Song \d+ end/.exec(row)?.[0]);
  expect(new Set(titles).size).toBe(35);
  expect(rows).toHaveLength(35);
});

test.each([
  ["", "/search?type=people", "Find people to follow"],
  ["?show=comments", "/discover", "Discover tracks"],
  ["?show=follows", "/upload", "Upload a track"],
])("an empty list, %s, leads to the next step", async (query, href, words) => {
  expect(await pageOf(ana, PAGE + query)).toContain(`<a class="button" href="${href}">${words}</a>`);
});
