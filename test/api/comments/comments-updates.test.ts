import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { createComment, pathOf } from "./comments.support.ts";

let owner: Person;
let ana: Person;
let ben: Person;
let track: StoredTrack;

beforeAll(async () => {
  [owner, ana, ben] = await Promise.all([createUser(), createUser(), createUser()]);
  track = await createTrack(owner);
});

const put = <Body = Comment>(who: Person, path: string, fields: unknown, headers = {}) =>
  api.as(who).put<Body>(path, { json: { comment: fields }, headers });

describe("its author", () => {
  test("edits a comment: omitted fields stay, a null timestamp is removed", async () => {
    const said = await createComment(ana, track, { timestamp: 1_000 });
    const path = pathOf(said);
    expect((await put(ana, path, { body: "Better" })).body).toEqual({ ...said, body: "Better" });
    expect((await put(ana, path, { timestamp: "2000" })).body).toEqual({
      ...said,
      body: "Better",
      timestamp: 2_000,
    });
    expect((await put(ana, path, {})).body).toMatchObject({ body: "Better", timestamp: 2_000 });
    const edited = await put(ana, path, { timestamp: null, user_id: ben.id, track_id: 1 });
    expect([edited.status, edited.body]).toEqual([200, { ...said, body: "Better", timestamp: null }]);
    expect((await api.as(ben).get(said.uri)).body).toEqual(edited.body);
  });

  test("edits by a form as well", async () => {
    const said = await createComment(ana, track);
    const form = { "comment[body]": "By form", "comment[timestamp]": "7" };
    const { body } = await api.as(ana).put<Comment>(pathOf(said), { form });
    expect([body.body, body.timestamp]).toEqual(["By form", 7]);
  });

  test.each([
    [{ body: "" }, 422],
    [{ body: null }, 422],
    [{ timestamp: -1 }, 422],
    [undefined, 400],
  ])("is refused for %j", async (fields, status) => {
    const said = await createComment(ana, track);
    expect((await put(ana, pathOf(said), fields)).status).toBe(status);
    expect((await api.as(ana).get(said.uri)).body).toEqual(said);
  });

  test("deletes a comment once", async () => {
    const said = await createComment(ana, track);
    const gone = await api.as(ana).delete(pathOf(said));
    expect([gone.status, gone.body]).toEqual([200, { status: "200 - OK" }]);
    for (const reply of [
      await api.as(ana).delete(pathOf(said)),
      await api.as(ana).get(said.uri),
      await put(ana, pathOf(said), { body: "Again" }),
    ])
      expect(reply.status).toBe(404);
  });

  test("may still delete it on a track they can no longer see, but not edit it", async () => {
    const theirs = await createTrack(owner);
    const said = await createComment(ana, theirs);
    await api.as(owner).put(`/tracks/${theirs.id}`, { json: { track: { sharing: "private" } } });
    expect((await put(ana, pathOf(said), { body: "Hm" })).status).toBe(404);
    expect((await api.as(ana).delete(pathOf(said))).status).toBe(200);
  });
});

describe("another user's comment (X6)", () => {
  test("the track's owner deletes it but cannot edit it", async () => {
    const said = await createComment(ana, track);
    const edited = await put<ErrorReply>(owner, pathOf(said), { body: "I love it" });
    expect([edited.status, edited.body.errors[0]?.error_message]).toEqual([
      403,
      "The comment is another user's",
    ]);
    expect((await api.as(owner).delete(pathOf(said))).status).toBe(200);
    expect((await api.as(ana).get(said.uri)).status).toBe(404);
  });

  test("a stranger may do neither, and learns nothing of comments they cannot see (X5)", async () => {
    const said = await createComment(ana, track);
    expect((await api.as(ben).delete(pathOf(said))).status).toBe(403);
    expect((await put(ben, pathOf(said), { body: "Mine" })).status).toBe(403);
    const hidden = await createTrack(owner, { sharing: "private" });
    const secret = await createComment(ana, hidden, {}, `?secret_token=${hidden.secret}`);
    expect((await api.as(ben).delete(pathOf(secret))).status).toBe(404);
    expect((await put(ben, pathOf(secret), { body: "Mine" })).status).toBe(404);
    expect((await api.as(ana).get(said.uri)).body).toEqual(said);
    expect((await api.as(owner).get(secret.uri)).body).toEqual(secret);
  });

  test("the owner of another track has no rights to it", async () => {
    const said = await createComment(ana, track);
    const own = await createTrack(ben);
    expect((await api.as(ben).delete(pathOf(said, own.id))).status).toBe(404);
    expect((await api.as(ana).get(said.uri)).status).toBe(200);
  });
});

test("a comment is found only below its own track (X7)", async () => {
  const said = await createComment(ana, track);
  const mine = await createTrack(ana);
  const path = pathOf(said, mine.id);
  for (const who of [ana, owner, ben]) {
    expect((await api.as(who).get(path)).status).toBe(404);
    expect((await put(who, path, { body: "Moved" })).status).toBe(404);
    expect((await api.as(who).delete(path)).status).toBe(404);
  }
  expect((await api.as(ben).get(pathOf(said))).body).toEqual(said);
});

describe("a version", () => {
  test("is the ETag of both addresses, and conditional reads transfer only changes", async () => {
    const said = await createComment(ana, track);
    for (const path of [`/comments/${said.id}`, pathOf(said)]) {
      const ETag = (await api.as(ben).get(path)).headers.get("ETag") ?? "";
      const again = () => api.as(ben).get(path, { headers: { "If-None-Match": ETag } });
      expect((await again()).status).toBe(304);
      await put(ana, pathOf(said), { body: `Changed at ${path}` });
      expect((await again()).status).toBe(200);
    }
  });

  test("lets the first of two concurrent edits win, and keeps an edited comment from deletion by an older version", async () => {
    const said = await createComment(ana, track);
    const seen = (await api.as(ana).get(said.uri)).headers.get("ETag") ?? "";
    const edits = ["One", "Two"].map((body) => put(ana, pathOf(said), { body }, { "If-Match": seen }));
    expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 412]);
    const headers = { "If-Match": seen };
    expect((await api.as(ana).delete(pathOf(said), { headers })).status).toBe(412);
    expect((await api.as(owner).delete(pathOf(said), { headers })).status).toBe(412);
    expect((await api.as(ben).delete(pathOf(said), { headers })).status).toBe(403);
    const now = (await api.as(ana).get(said.uri)).headers.get("ETag") ?? "";
    expect((await api.as(ana).delete(pathOf(said), { headers: { "If-Match": now } })).status).toBe(200);
  });
});

test("an edit changes neither the comment's place nor its count", async () => {
  const other = await createTrack(owner);
  const said = await createComment(ana, other);
  await put(ana, pathOf(said), { body: "Edited" });
  const deltas = await sql("select delta from counter_deltas where subject_id = $1 and kind = 'track'", [
    other.id,
  ]);
  expect(deltas.length).toBeLessThanOrEqual(1);
  expect((await api.as(ben).get<{ comment_count: number }>(`/tracks/${other.id}`)).body.comment_count).toBe(
    1,
  );
});
