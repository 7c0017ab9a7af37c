import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { type Asking, allPages, listed, refusal } from "../tracks/lists.support.ts";
import { createComment, pathOf } from "./comments.support.ts";

let owner: Person;
let ana: Person;
let ben: Person;
let app: { token: string };
let track: StoredTrack;
/** Ana's and Ben's alternately, oldest first. */
const said: Comment[] = [];

beforeAll(async () => {
  [owner, ana, ben, app] = await Promise.all([createUser(), createUser(), createUser(), createAppToken()]);
  track = await createTrack(owner);
  for (let index = 0; index < 7; index++)
    said.push(
      await createComment(index % 2 ? ben : ana, track, { body: `No. ${index}`, timestamp: 9 - index }),
    );
});

const newestFirst = (of = said) => of.map(({ id }) => id).reverse();

test("a track's comments are a bare array, newest first, each as on its own", async () => {
  const path = `/tracks/${track.id}/comments`;
  for (const who of [app, owner, ben]) expect(await listed(who, {}, path)).toEqual(newestFirst());
  const { body } = await api.as(app).get<Comment[]>(path);
  expect(body).toEqual([...said].reverse());
  expect(await listed(app, { limit: 3 }, path)).toEqual(newestFirst().slice(0, 3));
  expect(await listed(app, { limit: 3, offset: 5 }, path)).toEqual(newestFirst().slice(5));
  expect(await listed(app, {}, `/tracks/${(await createTrack(owner)).id}/comments`)).toEqual([]);
});

test("a user's comments are the user's alone, on any track", async () => {
  const other = await createComment(ben, await createTrack(ana));
  const expected = newestFirst([...said.filter(({ user_id }) => user_id === ben.id), other]);
  expect(await listed(app, {}, `/users/${ben.id}/comments`)).toEqual(expected);
  expect(await listed(ana, {}, `/users/soundcloud:users:${ben.id}/comments`)).toEqual(expected);
  expect(await listed(ben, {}, "/me/comments")).toEqual(expected);
  expect(await listed(ben, { limit: 1 }, "/me/comments")).toEqual([other.id]);
});

test.each([
  ["a track's", () => `/tracks/${track.id}/comments`, () => newestFirst()],
  ["a user's", () => `/users/${ana.id}/comments`, () => newestFirst(said.filter((_, at) => at % 2 === 0))],
])("%s pages neither repeat nor omit items when comments come and go", async (_, path, expected) => {
  const remaining = expected();
  expect((await allPages(app, { limit: 2 }, { path: path() })).flat()).toEqual(remaining);
  expect(await allPages(app, { limit: remaining.length }, { path: path() })).toEqual([remaining]);
  const added: Comment[] = [];
  const between = async () => {
    added.push(await createComment(ana, track));
  };
  expect((await allPages(app, { limit: 3 }, { path: path(), between })).flat()).toEqual(remaining);
  for (const one of added) await api.as(ana).delete(pathOf(one));
  // Deletes the last comment of the first page.
  const doomed = await createComment(ana, track);
  const taken = () => api.as(ana).delete(pathOf(doomed));
  const pages = await allPages(app, { limit: 1 }, { path: path(), between: taken });
  expect(pages.flat()).toEqual([doomed.id, ...remaining]);
});

test("a private track's pages keep the secret that opened it", async () => {
  const hidden = await createTrack(owner, { sharing: "private" });
  const secret = `?secret_token=${hidden.secret}`;
  const ids: number[] = [];
  for (let index = 0; index < 3; index++) ids.unshift((await createComment(ana, hidden, {}, secret)).id);
  const path = `/tracks/${hidden.id}/comments`;
  expect((await allPages(ben, { limit: 2, secret_token: hidden.secret }, { path })).flat()).toEqual(ids);
});

describe("a list is refused", () => {
  test.each([
    ["limit=0", 422, "limit: "],
    ["limit=a", 422, "limit: "],
    ["limit=1&limit=2", 400, "limit "],
    ["offset=-1", 422, "offset: "],
    ["offset=10001", 422, "offset: "],
    ["cursor=nonsense", 400, "cursor: "],
  ])("with %s", async (query, status, message) => {
    for (const path of [`/tracks/${track.id}/comments`, `/users/${ana.id}/comments`, "/me/comments"])
      expect(await refusal(ana, query, path)).toEqual([status, expect.stringMatching(`^${message}`)]);
  });

  test("with another list's or another reader's cursor", async () => {
    const path = `/tracks/${track.id}/comments`;
    const { body } = await api.as(ana).get<{ next_href: string }>(`${path}?linked_partitioning=true&limit=1`);
    const { search } = new URL(body.next_href);
    expect((await api.as(ana).get(path + search)).status).toBe(200);
    expect((await api.as(ben).get(path + search)).status).toBe(400);
    const other = await createTrack(owner);
    expect((await api.as(ana).get(`/tracks/${other.id}/comments${search}`)).status).toBe(400);
    expect((await api.as(ana).get(`/me/comments${search}`)).status).toBe(400);
  });

  test("404: the list of an unknown user, or of one who left", async () => {
    const leaver = await createUser();
    const left = await createComment(leaver, track);
    expect(await listed(app, { limit: 1 }, `/tracks/${track.id}/comments`)).toEqual([left.id]);
    await sql("update users set disabled_at = now() where id = $1", [leaver.id]);
    expect((await refusal(app, "", `/users/${leaver.id}/comments`))[0]).toBe(404);
    expect((await refusal(app, "", "/users/1/comments"))[0]).toBe(404);
    expect((await refusal(app, "", "/tracks/1/comments"))[0]).toBe(404);
    // Their comments are hidden, too.
    expect(await listed(app, {}, `/tracks/${track.id}/comments`)).toEqual(newestFirst());
    expect((await api.as(app).get(left.uri)).status).toBe(404);
    await sql("delete from comments where id = $1", [left.id]);
  });
});

describe("comments on a private track (X10)", () => {
  let hidden: StoredTrack;
  let friend: Person;
  let writer: Person;
  let secret: Comment;

  beforeAll(async () => {
    hidden = await createTrack(owner, { sharing: "private" });
    [friend, writer] = await Promise.all([createUser(), createUser()]);
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [hidden.id, friend.id]);
    secret = await createComment(writer, hidden, {}, `?secret_token=${hidden.secret}`);
  });

  const seesInAList = async (who: Asking, query = "") =>
    (await listed(who, {}, `/users/${writer.id}/comments${query}`)).includes(secret.id);

  test("are in no stranger's list, even with the secret that opens the track", async () => {
    for (const who of [ana, app]) {
      expect(await seesInAList(who)).toBe(false);
      expect((await api.as(who).get(secret.uri)).status).toBe(404);
      expect((await api.as(who).get(pathOf(secret))).status).toBe(404);
      expect((await api.as(who).get(`/tracks/${hidden.id}/comments`)).status).toBe(404);
    }
    const { body } = await api
      .as(ana)
      .get<Comment[]>(`/users/${writer.id}/comments?secret_token=${hidden.secret}`);
    expect(body).toEqual([]);
    expect((await api.as(ana).get(`${secret.uri}?secret_token=${hidden.secret}`)).body).toEqual(secret);
  });

  test("are visible to its owner and recipients, who may reply", async () => {
    for (const who of [owner, friend]) {
      expect(await seesInAList(who)).toBe(true);
      expect((await api.as(who).get(secret.uri)).body).toEqual(secret);
      const answer = await createComment(who, hidden);
      expect(await listed(owner, { limit: 1 }, `/tracks/${hidden.id}/comments`)).toEqual([answer.id]);
    }
  });

  test("become private with the track, and public again with it", async () => {
    const other = await createTrack(owner);
    const { uri, id } = await createComment(ana, other);
    const share = (sharing: string) =>
      api.as(owner).put(`/tracks/${other.id}`, { json: { track: { sharing } } });
    await share("private");
    expect((await api.as(ben).get(uri)).status).toBe(404);
    expect(await listed(ben, {}, `/users/${ana.id}/comments`)).not.toContain(id);
    await share("public");
    expect((await api.as(ben).get(uri)).status).toBe(200);
    expect(await listed(ben, {}, `/users/${ana.id}/comments`)).toContain(id);
  });
});
