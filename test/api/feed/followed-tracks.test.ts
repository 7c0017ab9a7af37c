import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { allPages, listed, refusal, uniqueWord } from "../tracks/lists.support.ts";

const PATH = "/me/followings/tracks";

let fan: Person;
let one: Person;
let other: Person;
let ids: number[];
const genre = uniqueWord();

beforeAll(async () => {
  [fan, one, other] = await Promise.all([createUser(), createUser(), createUser()]);
  for (const { id } of [one, other]) await api.as(fan).put(`/me/followings/${id}`);
  ids = [];
  for (const who of [one, other, one, other, one])
    ids.push((await createPlayableTrack(who, { genre: ids.length % 2 ? genre : "Other" })).id);
  await createPlayableTrack(await createUser());
});

test("lists tracks of followed users only, newest first", async () => {
  expect(await listed(fan, {}, PATH)).toEqual(ids.toReversed());
  expect(await listed(fan, { sort: "asc" }, PATH)).toEqual(ids);
  expect(await listed(one, {}, PATH)).toEqual([]);
});

test("pages in both directions of time, whatever is published meanwhile", async () => {
  const reader = await createUser();
  const artist = await createUser();
  await api.as(reader).put(`/me/followings/${artist.id}`);
  const made: number[] = [];
  for (let n = 0; n < 5; n++) made.push((await createPlayableTrack(artist)).id);
  const between = () => createPlayableTrack(artist);
  const newest = made.toReversed();
  expect(await allPages(reader, { limit: 2 }, { path: PATH, between })).toEqual([
    newest.slice(0, 2),
    newest.slice(2, 4),
    newest.slice(4),
  ]);
  expect((await allPages(reader, { limit: 2, sort: "asc" }, { path: PATH })).flat().slice(0, 5)).toEqual(
    made,
  );
  expect(await listed(reader, { limit: 2, offset: 2 }, PATH)).toEqual(newest.slice(1, 3));
});

test("accepts the filters of every list of tracks", async () => {
  const [first = 0, second = 0, , fourth = 0] = ids;
  expect(await listed(fan, { genres: genre }, PATH)).toEqual([fourth, second]);
  expect(await listed(fan, { q: other.username }, PATH)).toEqual([fourth, second]);
  expect(await listed(fan, { ids: `${first},${second}` }, PATH)).toEqual([second, first]);
  expect(await listed(fan, { access: "blocked" }, PATH)).toEqual([]);
  expect(await listed(fan, { filter: "private" }, PATH)).toEqual([]);
  expect((await allPages(fan, { genres: genre, limit: 1 }, { path: PATH })).flat()).toEqual([fourth, second]);
});

test("requires a user and names invalid parameters", async () => {
  expect((await api.get(PATH)).status).toBe(401);
  expect((await api.as(await createAppToken()).get(PATH)).status).toBe(401);
  for (const [query, status] of [
    ["limit=0", 422],
    ["access=free", 422],
    ["cursor=x", 400],
  ] as const)
    expect([query, (await refusal(fan, query, PATH))[0]]).toEqual([query, status]);
});
