import { expect, test } from "vitest";
import type { Insights } from "../../../functions/api/insights/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { by } from "../plays/plays.support.ts";
import { deliverPlays, heard, insightsOf, registerOf, sweepInsights, visitors } from "./insights.support.ts";

const NOTHING = { plays: 0, downloads: 0, likes: 0, reposts: 0, comments: 0, followers: 0 };

/** A track's counters, in the words of insights. */
async function countersOf(owner: Person, id: number) {
  const { body } = await api.as(owner).get<Track>(`/tracks/${id}`);
  return {
    plays: body.playback_count,
    downloads: body.download_count,
    likes: body.favoritings_count,
    reposts: body.reposts_count,
    comments: body.comment_count,
    followers: 0,
  };
}

const withoutListeners = ({ listeners: _, ...counts }: Insights["totals"]) => counts;

/** Every sum must be that of the counters. */
function expectSums(insights: Insights, counters: object) {
  expect(insights.all_time).toEqual(counters);
  expect(insights.before).toEqual(NOTHING);
  expect(withoutListeners(insights.totals)).toEqual(counters);
  for (const shares of [insights.by.country, insights.by.app, insights.by.referrer])
    if (shares) expect(shares.reduce((sum, { plays }) => sum + plays, 0)).toBe(insights.totals.plays);
}

const BY = "?by=country,app,referrer,progress";

test("sums equal the counters through likes, unlikes, downloads, reposts, follows, comments and repeated plays, swept or not", async () => {
  const [owner, fan, other] = await Promise.all([createUser(), createUser(), createUser()]);
  const track = await createPlayableTrack(owner, { downloadable: true });
  const path = `/tracks/${track.id}`;
  const [first, second] = visitors(2) as [never, never];
  const plays = [
    heard(track.id, first, { country: "DE" }),
    heard(track.id, second, { referrer: "blog.example" }),
  ];
  await deliverPlays(...plays, ...plays);
  await deliverPlays(...plays);
  await api.as(fan).post(`${path}/plays`);
  await api.as(fan).post(`/likes${path}`);
  await api.as(other).post(`/likes${path}`);
  await api.as(other).post(`/reposts${path}`);
  await api.as(fan).put(`/me/followings/${owner.id}`);
  await api.as(other).put(`/me/followings/${owner.id}`);
  await api.as(fan).get(`${path}/download`);
  await api.as(fan).post(`${path}/comments`, { json: { comment: { body: "Counted" } } });
  const counters = await countersOf(owner, track.id);
  expect(counters).toEqual({ plays: 3, downloads: 1, likes: 2, reposts: 1, comments: 1, followers: 0 });
  expectSums(await insightsOf(owner, path, BY), counters);
  expectSums(await insightsOf(owner, "/me", BY), { ...counters, followers: 2 });
  await sweepInsights(track.id);
  await api.as(other).delete(`/likes${path}`);
  await api.as(other).delete(`/me/followings/${owner.id}`);
  const later = { ...counters, likes: 1 };
  for (const interval of ["hour", "day", "month"]) {
    const query = `${BY}&interval=${interval}`;
    expectSums(await insightsOf(owner, path, query), later);
    expectSums(await insightsOf(owner, "/me", query), { ...later, followers: 1 });
  }
  await sweepInsights(track.id);
  const swept = await insightsOf(owner, path, BY);
  expectSums(swept, later);
  const listeners = new Set([first, second, by(fan)].map(registerOf)).size;
  expect([swept.totals.listeners, swept.periods.at(-1)?.listeners]).toEqual([listeners, listeners]);
  expect(swept.by.referrer).toContainEqual({ value: "blog.example", name: null, plays: 1 });
});

test("a deleted track takes its sums with it, and others keep theirs", async () => {
  const [owner, fan] = await Promise.all([createUser(), createUser()]);
  const [song, gone] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  const [one, two] = visitors(2) as [never, never];
  await deliverPlays(heard(song.id, one), heard(gone.id, one), heard(gone.id, two, { country: "FR" }));
  await api.as(fan).post(`/likes/tracks/${gone.id}`);
  await sweepInsights(song.id, gone.id);
  expect((await insightsOf(owner, "/me")).totals).toMatchObject({ plays: 3, likes: 1 });
  // Changes that are still pending go as well.
  await api.as(await createUser()).post(`/likes/tracks/${gone.id}`);
  await api.as(owner).delete(`/tracks/${gone.id}`);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    const left = await insightsOf(owner, "/me", `${BY},track`);
    expectSums(left, await countersOf(owner, song.id));
    expect(left.by.track).toEqual([expect.objectContaining({ value: String(song.id), plays: 1 })]);
    await sweepInsights(song.id, gone.id);
  }
});

test("what was counted before times were kept is told apart, and added up", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  await sql("update tracks set playback_count = 40, favoritings_count = 7 where id = $1", [track.id]);
  const [who] = visitors(1) as [never];
  await deliverPlays(heard(track.id, who));
  for (const path of [`/tracks/${track.id}`, "/me"]) {
    const insights = await insightsOf(owner, path);
    expect(insights.before).toEqual({ ...NOTHING, plays: 40, likes: 7 });
    expect(insights.totals.plays).toBe(1);
    expect(insights.all_time).toMatchObject({ plays: 41, likes: 7 });
  }
});

test("a play stands in its own hour, though it is counted later", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const [who] = visitors(1) as [never];
  const play = heard(track.id, who, {}, 180);
  await deliverPlays(play);
  await sweepInsights(track.id);
  const { periods } = await insightsOf(owner, `/tracks/${track.id}`, "?interval=hour");
  const start = new Date(Math.floor(play.body.at / 3_600_000) * 3_600_000).toISOString();
  expect(periods.filter(({ plays }) => plays > 0).map((period) => period.start)).toEqual([start]);
});

test("a listener of several tracks and days is one", async () => {
  const owner = await createUser();
  const tracks = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  const three = visitors(3);
  const ids = tracks.map(({ id }) => id);
  await deliverPlays(...ids.flatMap((id) => three.map((who) => heard(id, who))));
  await sweepInsights(...ids);
  const set = await createPlaylist(owner, { tracks: named(ids) });
  for (const path of ["/me", `/playlists/${set.id}`]) {
    const { totals, periods } = await insightsOf(owner, path);
    expect([totals.plays, totals.listeners, periods.at(-1)?.listeners]).toEqual([6, 3, 3]);
  }
});

test("a playlist counts its own likes and reposts, and the plays of its owner's tracks", async () => {
  const [owner, fan] = await Promise.all([createUser(), createUser()]);
  const [own, strange] = [await createPlayableTrack(owner), await createPlayableTrack(fan)];
  const set = await createPlaylist(owner, { tracks: named([own.id, strange.id]) });
  const [who] = visitors(1) as [never];
  await deliverPlays(heard(own.id, who), heard(strange.id, who));
  await api.as(fan).post(`/likes/tracks/${own.id}`);
  await api.as(fan).post(`/likes/playlists/${set.id}`);
  const expected = { ...NOTHING, plays: 1, likes: 1 };
  expectSums(await insightsOf(owner, `/playlists/${set.id}`), expected);
  await sweepInsights(own.id, strange.id);
  expectSums(await insightsOf(owner, `/playlists/${set.id}`), expected);
});

test("how far plays went is counted once a listener, and is no play", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner);
  const [one, two] = visitors(2) as [never, never];
  const messages = [heard(track.id, one, { quarter: 4 }), heard(track.id, two, { quarter: 2 })];
  await deliverPlays(...messages, ...messages);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    const { by, totals } = await insightsOf(owner, `/tracks/${track.id}`, "?by=progress");
    expect(by.progress?.map(({ value, plays }) => [value, plays])).toEqual([
      ["25", 2],
      ["50", 2],
      ["75", 1],
      ["100", 1],
    ]);
    expect(totals.plays).toBe(0);
    await sweepInsights(track.id);
  }
});

test("403 for others, 404 for what they cannot see, 401 without a user", async () => {
  const [owner, fan] = await Promise.all([createUser(), createUser()]);
  const [open, draft] = [await createTrack(owner), await createTrack(owner, { sharing: "private" })].map(
    ({ id }) => `/tracks/${id}/insights`,
  ) as [string, string];
  expect((await api.as(fan).get(open)).status).toBe(403);
  expect((await api.as(fan).get(draft)).status).toBe(404);
  expect((await api.as(owner).get(draft)).status).toBe(200);
  expect((await api.get(open)).status).toBe(401);
  const [set, hidden] = [
    await createPlaylist(owner, {}),
    await createPlaylist(owner, { sharing: "private" }),
  ];
  expect((await api.as(fan).get(`/playlists/${set.id}/insights`)).status).toBe(403);
  expect((await api.as(fan).get(`/playlists/${hidden.id}/insights`)).status).toBe(404);
});

test("422 names the part of the query that nobody can be told of", async () => {
  const owner = await createUser();
  for (const [query, cause] of [
    ["from=yesterday", "from: must be a date such as 2026-11-28"],
    ["from=2024-02-02&to=2024-02-01", "from: is after to"],
    [
      "from=2020-01-01&to=2024-01-01",
      "from: may be 731 days before to at most; longer ranges take interval=month",
    ],
    ["interval=hour&from=2020-01-01&to=2020-01-02", "from: hours are kept for 40 days"],
    ["by=city", "by: must be of country, app, referrer, progress, track, with commas between"],
    ["by=country,app&format=csv", "by: CSV holds one table, so name one at most"],
  ]) {
    const { status, body } = await api.as(owner).get<ErrorReply>(`/me/insights?${query}`);
    expect([status, body.errors.map(({ error_message }) => error_message)]).toEqual([422, [cause]]);
  }
});

test("a range without anything has all of its periods, and months are whole", async () => {
  const owner = await createUser();
  const days = await insightsOf(owner, "/me", "?from=2024-02-01&to=2024-03-01");
  expect([days.periods.length, days.periods.at(-1)?.start]).toEqual([30, "2024-03-01T00:00:00.000Z"]);
  const months = await insightsOf(owner, "/me", "?from=2024-02-10&to=2024-03-10&interval=month");
  expect([months.from, months.to, months.periods.length]).toEqual(["2024-02-01", "2024-03-31", 2]);
});

test("CSV by Accept and by format holds the periods or a breakdown, and no formula", async () => {
  const owner = await createUser();
  const track = await createPlayableTrack(owner, { title: '=HYPERLINK("evil"), "quoted"' });
  const [who] = visitors(1) as [never];
  await deliverPlays(heard(track.id, who));
  const today = new Date().toISOString().slice(0, 10);
  const byAccept = await api.as(owner).get<string>("/me/insights", { headers: { Accept: "text/csv" } });
  expect(byAccept.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const lines = byAccept.body.split("\r\n");
  expect(lines[0]).toBe("start,plays,downloads,likes,reposts,comments,followers,listeners");
  expect(lines[28]).toMatch(new RegExp(`^${today}T00:00:00.000Z,1,0,0,0,0,0,\\d$`));
  const { body } = await api.as(owner).get<string>("/me/insights?format=csv&by=track");
  expect(body).toBe(
    `track,name,plays,likes,downloads\r\n${track.id},"'=HYPERLINK(""evil""), ""quoted""",1,0,0\r\n`,
  );
  expect((await api.as(owner).get("/me?format=csv")).status).toBe(406);
  expect((await api.as(owner).get("/me", { headers: { Accept: "text/csv" } })).status).toBe(406);
});

test("a track that supersedes another takes its days over, and all sums stay those of the counters", async () => {
  const [owner, fan, other] = await Promise.all([createUser(), createUser(), createUser()]);
  const old = await createPlayableTrack(owner, { playback_count: 40 });
  const fresh = await createPlayableTrack(owner);
  const [one, two, three] = visitors(3) as [never, never, never];
  await deliverPlays(heard(old.id, one, {}, 180), heard(old.id, two), heard(fresh.id, one));
  await api.as(fan).post(`/likes/tracks/${old.id}`);
  await api.as(fan).post(`/likes/tracks/${fresh.id}`);
  await sweepInsights(old.id, fresh.id);
  await deliverPlays(heard(old.id, three, { country: "SE" }));
  await api.as(other).post(`/likes/tracks/${old.id}`);
  const json = { superseded_id: old.id };
  expect((await api.as(owner).post(`/tracks/${fresh.id}/supersede`, { json })).status).toBe(200);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    const counters = await countersOf(owner, fresh.id);
    expect(counters).toMatchObject({ plays: 44, likes: 2 });
    for (const path of [`/tracks/${fresh.id}`, "/me"]) {
      const { all_time, before, totals, periods } = await insightsOf(owner, path, "?interval=hour");
      expect([all_time, before, totals.plays, totals.likes]).toEqual([
        counters,
        { ...NOTHING, plays: 40 },
        4,
        2,
      ]);
      const hours = periods.filter(({ plays }) => plays > 0).map(({ plays }) => plays);
      expect([hours[0], hours.slice(1).reduce((sum, plays) => sum + plays, 0)]).toEqual([1, 3]);
    }
    const { by } = await insightsOf(owner, `/tracks/${fresh.id}`, "?by=country");
    expect(by.country).toEqual([{ value: null, name: null, plays: 4 }]);
    await sweepInsights(old.id, fresh.id);
  }
  expect((await insightsOf(owner, `/tracks/${fresh.id}`)).totals.listeners).toBe(3);
});
