import { beforeAll, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { swept } from "../../encoding/sweep.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { comment, createComment, pathOf } from "./comments.support.ts";

let owner: Person;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  [owner, ana, ben] = await Promise.all([createUser(), createUser(), createUser()]);
});

const countOf = async ({ id }: { id: number }) =>
  (await api.as(ben).get<Track>(`/tracks/${id}`)).body.comment_count;

const stored = async ({ id }: { id: number }) => {
  const [row] = await sql<{ n: number }>("select count(*)::int as n from comments where track_id = $1", [id]);
  return row?.n;
};

test("comments and deletions count at once, also during a roll-up", async () => {
  const track = await createTrack(owner);
  const people = await Promise.all(Array.from({ length: 4 }, () => createUser()));
  const said = await Promise.all(
    people.flatMap((who) => Array.from({ length: 10 }, () => createComment(who, track))),
  );
  expect(await countOf(track)).toBe(40);
  const authorOf = ({ user_id }: Comment) => people.find(({ id }) => id === user_id) ?? owner;

  // Each twice, by two users who may delete it. One of them finds it gone.
  const taken = said
    .slice(0, 15)
    .flatMap((one) => [owner, authorOf(one)].map((who) => api.as(who).delete(pathOf(one))));
  const [replies] = await Promise.all([Promise.all(taken), runCron("*/5 * * * *")]);
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(15).fill(200), ...Array(15).fill(404)]);
  expect(await countOf(track)).toBe(25);
  expect(await stored(track)).toBe(25);

  await runCron("*/5 * * * *");
  expect(await countOf(track)).toBe(25);
  const list = await api.as(ben).get<Track[]>(`/users/${owner.id}/tracks`);
  expect(list.body.find(({ id }) => id === track.id)?.comment_count).toBe(25);
});

test("a refused comment does not count", async () => {
  const track = await createTrack(owner, { commentable: false });
  expect((await comment(ana, track, { body: "No" })).status).toBe(403);
  expect((await comment(ana, track, { body: "" })).status).toBe(422);
  expect(await countOf(track)).toBe(0);
});

test("comments of an erased user no longer count", async () => {
  const track = await createTrack(owner);
  const leaver = await createUser();
  await createComment(leaver, track);
  await createComment(ana, track);
  await sql("update users set disabled_at = now() where id = $1", [leaver.id]);
  await sql("delete from accounts where user_id = $1", [leaver.id]);
  await swept(() => stored(track)).toBe(1);
  expect(await countOf(track)).toBe(1);
});

test("a deleted track takes its comments and pending counts with it", async () => {
  const track = await createTrack(owner);
  const said = await createComment(ana, track);
  await sql("delete from counter_deltas where subject_id = $1", [track.id]);
  expect((await api.as(owner).delete(`/tracks/${track.id}`)).status).toBe(200);
  for (const path of [said.uri, pathOf(said), `/tracks/${track.id}/comments`])
    expect((await api.as(ana).get(path)).status).toBe(404);
  expect((await comment(ana, track, { body: "Too late" })).status).toBe(404);
  expect((await api.as(ana).delete(pathOf(said))).status).toBe(404);
  const mine = await api.as(ana).get<Comment[]>("/me/comments?limit=200");
  expect(mine.body.some(({ id }) => id === said.id)).toBe(false);
  expect(await sql("select delta from counter_deltas where subject_id = $1", [track.id])).toEqual([]);
});

/** Outcome of a race. Each reply says which side won. */
async function raced(track: StoredTrack, people: Person[]) {
  const comments = people.flatMap((who) =>
    Array.from({ length: 5 }, (_, index) => comment(who, track, { body: `Quick ${index}` })),
  );
  const [said, gone] = await Promise.all([
    Promise.all(comments),
    api.as(owner).delete(`/tracks/${track.id}`),
  ]);
  return { statuses: said.map(({ status }) => status), gone: gone.status };
}

test("a track deleted during commenting leaves nothing, and nobody gets a server error (X79)", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => createUser()));
  for (let round = 0; round < 3; round++) {
    const track = await createTrack(owner);
    const { statuses, gone } = await raced(track, people);
    expect(gone).toBe(200);
    expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
    expect(await stored(track)).toBe(0);
    expect((await api.as(ana).get(`/tracks/${track.id}/comments`)).status).toBe(404);
  }
});

test("edits and deletions race a track's deletion without a server error (X79)", async () => {
  const track = await createTrack(owner);
  const said = await Promise.all(Array.from({ length: 8 }, () => createComment(ana, track)));
  const replies = await Promise.all([
    ...said.map((one) => api.as(ana).put(pathOf(one), { json: { comment: { body: "Edited" } } })),
    ...said.map((one) => api.as(owner).delete(pathOf(one))),
    api.as(owner).delete(`/tracks/${track.id}`),
  ]);
  expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  expect(await stored(track)).toBe(0);
});
