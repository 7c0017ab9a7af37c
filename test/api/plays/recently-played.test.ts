import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createMember } from "../../support/browser.ts";
import { createApp, createAppToken, createUser, type Person, tokenOf } from "../../support/people.ts";
import { deliver, sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { playable } from "../media/media-files.ts";
import { allPages, listed, refusal, uniqueWord } from "../tracks/lists.support.ts";
import { by, firstSegment, linksOf, played } from "./plays.support.ts";

const PATH = "/me/recently-played/tracks";

let owner: Person;

beforeAll(async () => {
  owner = await createUser();
});

const tracks = (count: number) =>
  Promise.all(Array.from({ length: count }, () => createPlayableTrack(owner)));

const play = (who: Person, id: number, query = "") => api.as(who).post(`/tracks/${id}/plays${query}`);

/** A minute apart, the first longest ago. */
const playAll = (who: Person, ids: number[]) =>
  deliver(
    "plays",
    ids.map((id, at) => ({ body: played(id, by(who), ids.length - at) })),
  );

test("lists each track once, last played first, even if the play does not count", async () => {
  const fan = await createUser();
  const [a, b, c] = (await tracks(3)).map(({ id }) => id) as [number, number, number];
  for (const id of [a, b, c, a]) await play(fan, id);
  expect(await listed(fan, {}, PATH)).toEqual([a, c, b]);
  expect(await listed(owner, {}, PATH)).toEqual([]);
});

test("a stream appears a moment later", async () => {
  const fan = await createUser();
  const { id } = await playable(owner);
  await fetch(firstSegment(await linksOf(fan, id)));
  await expect.poll(() => listed(fan, {}, PATH)).toEqual([id]);
});

test("pages like every list of tracks; older plays move up when tracks disappear", async () => {
  const fan = await createUser();
  const ids = (await tracks(7)).map(({ id }) => id);
  await playAll(fan, ids);
  const newest = ids.toReversed();
  expect(await listed(fan, {}, PATH)).toEqual(newest);
  expect(await listed(fan, { limit: 2 }, PATH)).toEqual(newest.slice(0, 2));
  expect(await listed(fan, { limit: 2, offset: 3 }, PATH)).toEqual(newest.slice(3, 5));
  expect(await listed(fan, { sort: "asc" }, PATH)).toEqual(ids);
  const more = async () => play(fan, (await createPlayableTrack(owner, { title: "Another" })).id);
  const pages = await allPages(fan, { limit: 3 }, { path: PATH, between: more });
  expect(pages).toEqual([newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)]);
  const oldest = await allPages(fan, { limit: 4, sort: "asc", ids: `${ids}` }, { path: PATH });
  expect(oldest).toEqual([ids.slice(0, 4), ids.slice(4)]);
  await sql("delete from recent_plays where user_id = $1 and track_id <> all ($2::bigint[])", [fan.id, ids]);
  await sql("update tracks set sharing = 'private' where id = $1", [newest[0]]);
  await api.as(owner).delete(`/tracks/${newest[1]}`);
  expect(await listed(fan, {}, PATH)).toEqual(newest.slice(2));
});

test("accepts every filter of track lists", async () => {
  const [fan, word] = [await createUser(), uniqueWord()];
  const genre = uniqueWord();
  const folk = await createPlayableTrack(owner, { title: `A ${word}`, genre, bpm: 120, license: "cc-by" });
  const other = await createPlayableTrack(owner, { title: "Other", track_type: "live", tag_list: genre });
  await playAll(fan, [folk.id, other.id]);
  for (const [query, found] of [
    [{ q: word }, folk],
    [{ q: `"${word}"` }, folk],
    [{ genres: genre }, folk],
    [{ tags: genre }, other],
    [{ license: "cc-by" }, folk],
    [{ types: "live" }, other],
    [{ ids: other.id }, other],
    [{ urns: `soundcloud:tracks:${folk.id}` }, folk],
    [{ "bpm[from]": 119.5, "bpm[to]": 120 }, folk],
  ] as const)
    expect([query, await listed(fan, query, PATH)]).toEqual([query, [found.id]]);
  expect(await listed(fan, { filter: "private" }, PATH)).toEqual([]);
  expect(await listed(fan, { q: "!" }, PATH)).toEqual([]);
  expect(await listed(fan, { "created_at[from]": "2100-01-01 00:00:00" }, PATH)).toEqual([]);
  expect(await listed(fan, { "duration[from]": 10 ** 9 }, PATH)).toEqual([]);
});

test("keeps at most a hundred", async () => {
  const fan = await createUser();
  const ids = await sql<{ id: number }>(
    `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
       original_content_size)
     select $1::bigint, 'a', $2 || n, sha256(''), '', $2 || n, 'a.wav', 1 from generate_series(1, 103) n
     returning id::float8 as id`,
    [owner.id, `kept-${fan.username}-`],
  );
  await playAll(
    fan,
    ids.map(({ id }) => id),
  );
  const [row] = await sql("select count(*)::int as n from recent_plays where user_id = $1", [fan.id]);
  expect(row).toEqual({ n: 100 });
});

test("shows each track as the viewer may see it, and `access` filters by that", async () => {
  const [fan, paying] = [await createUser(), await createUser({ plan: "artist" })];
  const preview = await createPlayableTrack(owner, { paywall: "preview" });
  const blocked = await createPlayableTrack(owner, { paywall: "blocked" });
  const open = await createPlayableTrack(owner);
  const hidden = await createPlayableTrack(owner, { sharing: "private" });
  const ids = [preview.id, blocked.id, open.id, hidden.id];
  for (const who of [fan, paying, owner]) await playAll(who, ids);
  const [first, second, third] = (await api.as(fan).get<Track[]>(PATH)).body;
  expect([first?.access, second?.access, third?.access]).toEqual(["playable", "blocked", "preview"]);
  expect(await listed(fan, { access: "preview,blocked" }, PATH)).toEqual([blocked.id, preview.id]);
  expect(await listed(paying, { access: "playable" }, PATH)).toEqual([open.id, blocked.id, preview.id]);
  expect(await listed(owner, {}, PATH)).toEqual(ids.toReversed());
});

test("omits tracks that were opened by a secret only", async () => {
  const fan = await createUser();
  const { id, secret } = await createPlayableTrack(owner, { sharing: "private" });
  expect((await play(fan, id, `?secret_token=${secret}`)).status).toBe(200);
  expect(await listed(fan, {}, PATH)).toEqual([]);
  await api.as(owner).put(`/tracks/${id}`, { json: { track: { sharing: "public" } } });
  expect(await listed(fan, {}, PATH)).toEqual([id]);
});

test("requires a user and names invalid parameters", async () => {
  expect((await api.get(PATH)).status).toBe(401);
  expect((await api.as(await createAppToken()).get(PATH)).status).toBe(401);
  for (const [query, name] of [
    ["access=free", "access"],
    ["limit=0", "limit"],
    ["filter=mine", "filter"],
    ["bpm[from]=x", "bpm[from]"],
    ["created_at[to]=now", "created_at[to]"],
    ["linked_partitioning=2", "linked_partitioning"],
    ["offset=10001", "offset"],
  ]) {
    const { status, body } = await api.as(owner).get<ErrorReply>(`${PATH}?${query}`);
    expect([status, body.errors?.[0]?.error_message]).toEqual([422, expect.stringContaining(name ?? "")]);
  }
  expect((await refusal(owner, "cursor=x", PATH))[0]).toBe(400);
});

test("is part of the account's export (X103)", async () => {
  const { browser, id, username } = await createMember();
  const app = await createApp();
  const track = await createPlayableTrack(owner);
  await play({ id, username, app, token: await tokenOf(app, username) }, track.id);
  const exportedData = JSON.parse((await browser.submit("/settings", "/settings/export")).html);
  expect(exportedData.recently_played).toEqual([{ track_id: track.id, played_at: expect.any(String) }]);
  expect(exportedData.plays).toEqual([{ track_id: track.id, plays: 1 }]);
  await sql("delete from users where id = $1", [id]);
  expect(await sql("select 1 from recent_plays where user_id = $1", [id])).toEqual([]);
  expect(await sql("select 1 from user_plays where user_id = $1", [id])).toEqual([]);
});
