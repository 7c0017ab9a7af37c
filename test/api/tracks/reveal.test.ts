import { beforeAll, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment, pathOf } from "../comments/comments.support.ts";
import { listed } from "./lists.support.ts";

let owner: Person;
let author: Person;
let stranger: Person;
let app: { token: string };

beforeAll(async () => {
  [owner, author, stranger] = await Promise.all([createUser(), createUser(), createUser()]);
  app = await createAppToken();
});

const hide = (id: number, what: object) =>
  api.as(owner).put<Track>(`/tracks/${id}`, { json: { track: what } });

const seen = async (who: { token: string }, id: number) =>
  (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const commentIds = async (who: { token: string }, path: string) =>
  (await api.as(who).get<Comment[]>(path)).body.map(({ id }) => id);

test("reveal_comments and reveal_stats default to true, and only the owner changes them", async () => {
  const { id } = await createPlayableTrack(owner);
  expect(await seen(stranger, id)).toMatchObject({ reveal_comments: true, reveal_stats: true });
  const json = { track: { reveal_stats: false } };
  expect((await api.as(stranger).put(`/tracks/${id}`, { json })).status).toBe(403);
  const { status, body } = await hide(id, { reveal_comments: false, reveal_stats: false });
  expect([status, body.reveal_comments, body.reveal_stats]).toEqual([200, false, false]);
  const form = { "track[reveal_stats]": "yes" };
  expect((await api.as(owner).put<Track>(`/tracks/${id}`, { form })).body).toMatchObject({
    reveal_comments: false,
    reveal_stats: true,
  });
  expect((await hide(id, { reveal_stats: "perhaps" })).status).toBe(422);
});

test("hidden comments are visible to the owner and to their authors", async () => {
  const { id } = await createPlayableTrack(owner);
  const own = await createComment(owner, { id }, { body: "mine", timestamp: 1 });
  const said = await createComment(author, { id }, { body: "theirs", timestamp: 2 });
  const path = `/tracks/${id}/comments`;
  expect(await commentIds(stranger, path)).toEqual([said.id, own.id]);
  await hide(id, { reveal_comments: false });
  expect(await commentIds(owner, path)).toEqual([said.id, own.id]);
  expect(await commentIds(author, path)).toEqual([said.id]);
  for (const who of [stranger, app]) {
    expect(await commentIds(who, path)).toEqual([]);
    expect(await commentIds(who, `/users/${author.id}/comments`)).not.toContain(said.id);
    for (const one of [pathOf(said), `/comments/${said.id}`])
      expect((await api.as(who).get(one)).status).toBe(404);
    expect((await seen(who, id)).comment_count).toBeNull();
  }
  for (const who of [owner, author]) expect((await api.as(who).get(pathOf(said))).status).toBe(200);
  expect(await commentIds(author, "/me/comments")).toContain(said.id);
  expect((await seen(owner, id)).comment_count).toBe(2);
  await hide(id, { reveal_comments: true });
  expect(await commentIds(stranger, path)).toEqual([said.id, own.id]);
  expect((await seen(stranger, id)).comment_count).toBe(2);
});

test("hidden comments are on no page and in no activities but the owner's", async () => {
  const { id } = await createPlayableTrack(owner);
  const said = "a remark that nobody else reads";
  await createComment(author, { id }, { body: "first", timestamp: 7 });
  await createComment(stranger, { id }, { body: said, timestamp: 7 });
  const page = (await seen(owner, id)).permalink_url;
  const text = async () => (await fetch(page)).text();
  const heard = async (who: Person) =>
    JSON.stringify((await api.as(who).get("/me/activities?limit=50")).body).includes(said);
  expect([(await text()).includes(said), await heard(author), await heard(owner)]).toEqual([
    true,
    true,
    true,
  ]);
  await hide(id, { reveal_comments: false });
  expect([(await text()).includes(said), await heard(author), await heard(owner)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("hidden counts are null for others, also in lists, and its fans and reposters are hidden", async () => {
  const { id } = await createPlayableTrack(owner);
  await api.as(author).post(`/likes/tracks/${id}`);
  await api.as(author).post(`/reposts/tracks/${id}`);
  await api.as(author).post(`/tracks/${id}/plays`);
  const counts = ({ playback_count, favoritings_count, reposts_count, download_count }: Track) => [
    playback_count,
    favoritings_count,
    reposts_count,
    download_count,
  ];
  const likers = async (who: { token: string }, path = "favoriters") =>
    (await api.as(who).get<{ id: number }[]>(`/tracks/${id}/${path}`)).body.map((user) => user.id);
  expect(counts(await seen(stranger, id))).toEqual([1, 1, 1, 0]);
  expect([await likers(stranger), await likers(app, "reposters")]).toEqual([[author.id], [author.id]]);
  await hide(id, { reveal_stats: false });
  for (const who of [stranger, app, author]) {
    expect(counts(await seen(who, id))).toEqual([null, null, null, null]);
    const [inList] = (await api.as(who).get<Track[]>(`/tracks?ids=${id}`)).body;
    expect(inList && counts(inList)).toEqual([null, null, null, null]);
  }
  for (const path of ["favoriters", "reposters"]) {
    expect(await likers(stranger, path)).toEqual([]);
    expect(await likers(app, path)).toEqual([]);
    expect(await likers(author, path)).toEqual([author.id]);
    expect(await likers(owner, path)).toEqual([author.id]);
  }
  expect((await api.as(stranger).get(`/tracks/${id}/favoriters/${author.id}`)).status).toBe(404);
  expect((await api.as(author).get(`/tracks/${id}/favoriters/${author.id}`)).status).toBe(200);
  expect(counts(await seen(owner, id))).toEqual([1, 1, 1, 0]);
  const page = await (await fetch((await seen(owner, id)).permalink_url)).text();
  expect(page).not.toMatch(/<strong>\d+<\/strong> (?:like|play)/);
  const xml = await fetch(`${stack.urls.api}/tracks/${id}.xml`, {
    headers: { Authorization: `OAuth ${stranger.token}` },
  });
  expect(await xml.text()).toMatch(/<playback_count[^>]* nil="true"\/>/);
});

test("user_playback_count is the viewer's own, on the track and in lists", async () => {
  const { id } = await createPlayableTrack(owner);
  const counted = async (who: { token: string }) => [
    (await seen(who, id)).user_playback_count,
    (await api.as(who).get<Track[]>(`/tracks?ids=${id}`)).body[0]?.user_playback_count,
  ];
  expect([await counted(author), await counted(owner), await counted(app)]).toEqual([
    [0, 0],
    [0, 0],
    [null, null],
  ]);
  for (let times = 0; times < 3; times++) await api.as(author).post(`/tracks/${id}/plays`);
  await api.as(owner).post(`/tracks/${id}/plays`);
  // One of three within half an hour counts.
  expect([await counted(author), await counted(stranger), await counted(owner), await counted(app)]).toEqual([
    [1, 1],
    [0, 0],
    [1, 1],
    [null, null],
  ]);
  expect(await listed(author, { ids: id })).toEqual([id]);
});
