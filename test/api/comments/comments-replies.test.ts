import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { happenedTo, OWN, taggedFor } from "../activities/activities.support.ts";
import { listed } from "../tracks/lists.support.ts";
import { comment, createComment, pathOf } from "./comments.support.ts";

let owner: Person;
let ana: Person;
let ben: Person;
let track: StoredTrack;

beforeAll(async () => {
  [owner, ana, ben] = await Promise.all([createUser(), createUser(), createUser()]);
  track = await createTrack(owner);
});

const NO_PARENT = "comment[parent_id]: names no comment on this track that you can see";

const messageOf = ({ status, body }: { status: number; body: ErrorReply }) => [
  status,
  body.errors[0]?.error_message,
];

/** Status and message of a refused reply. */
const refusalOf = async (who: Person, parent: unknown, on = track, query = "") =>
  messageOf(await comment<ErrorReply>(who, on, { body: "To you", parent_id: parent }, { query }));

describe("a reply", () => {
  test.each<[string, (first: Comment) => unknown]>([
    ["a number", ({ id }) => id],
    ["text", ({ id }) => String(id)],
  ])("names its parent by %s", async (_, named) => {
    const first = await createComment(ana, track);
    expect(first.parent_id).toBeNull();
    const reply = await createComment(ben, track, { parent_id: named(first) });
    expect(reply.parent_id).toBe(first.id);
    expect((await api.as(ana).get<Comment>(reply.uri)).body).toEqual(reply);
  });

  test.each([null, "", undefined])("is none with the parent %s", async (parent_id) => {
    expect((await createComment(await createUser(), track, { parent_id })).parent_id).toBeNull();
  });

  test("is written by form and by XML", async () => {
    const { id } = await createComment(ana, track, { timestamp: 1_500 });
    const path = `/tracks/${track.id}/comments`;
    const form = { "comment[body]": "By form", "comment[parent_id]": String(id), "comment[timestamp]": "" };
    const raw = `<comment><body>By XML</body><parent-id type="integer">${id}</parent-id></comment>`;
    for (const options of [{ form }, { raw, headers: { "Content-Type": "application/xml" } }]) {
      const { status, body } = await api.as(ben).post<Comment>(path, options);
      expect([status, body.parent_id, body.timestamp]).toEqual([201, id, 1_500]);
    }
  });

  test("to a reply joins the thread of the first comment", async () => {
    const first = await createComment(ana, track);
    const reply = await createComment(ben, track, { parent_id: first.id });
    expect((await createComment(ana, track, { parent_id: reply.id })).parent_id).toBe(first.id);
  });

  test("takes the timestamp that it has, or else the one of its parent", async () => {
    const [timed, untimed] = [
      await createComment(ana, track, { timestamp: 2_000 }),
      await createComment(ana, track),
    ];
    const replyTo = async ({ id }: Comment, fields = {}) =>
      (await createComment(ben, track, { parent_id: id, ...fields })).timestamp;
    expect(await replyTo(timed)).toBe(2_000);
    expect(await replyTo(timed, { timestamp: null })).toBe(2_000);
    expect(await replyTo(timed, { timestamp: 0 })).toBe(0);
    expect(await replyTo(untimed)).toBeNull();
    expect(await replyTo(untimed, { timestamp: 7 })).toBe(7);
  });

  test("is listed and counted like any comment, newest first", async () => {
    const busy = await createTrack(owner);
    const first = await createComment(ana, busy);
    const second = await createComment(ana, busy);
    const reply = await createComment(ben, busy, { parent_id: first.id });
    expect(await listed(ana, {}, `/tracks/${busy.id}/comments`)).toEqual([reply.id, second.id, first.id]);
    const { body } = await api.as(ana).get<{ comment_count: number }>(`/tracks/${busy.id}`);
    expect(body.comment_count).toBe(3);
  });

  test("stays in its thread when it is edited", async () => {
    const [first, other] = [await createComment(ana, track), await createComment(ana, track)];
    const reply = await createComment(ben, track, { parent_id: first.id });
    const json = { comment: { body: "Better", parent_id: other.id } };
    expect((await api.as(ben).put<Comment>(pathOf(reply), { json })).body).toMatchObject({
      body: "Better",
      parent_id: first.id,
    });
  });

  test("is made once per Idempotency-Key", async () => {
    const { id } = await createComment(ana, track);
    const headers = { "Idempotency-Key": `reply-${ana.username}` };
    const fields = { body: "Once", parent_id: id };
    const first = await comment(ben, track, fields, { headers });
    const again = await comment(ben, track, fields, { headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    const other = await comment(ben, track, { ...fields, parent_id: null }, { headers });
    expect(other.status).toBe(422);
  });
});

describe("422: a reply to", () => {
  test("a comment on another track, a deleted one, one of nobody", async () => {
    const elsewhere = await createComment(ana, await createTrack(owner));
    const gone = await createComment(ana, track);
    await api.as(ana).delete(pathOf(gone));
    for (const parent of [elsewhere.id, gone.id, 1, Number.MAX_SAFE_INTEGER])
      expect(await refusalOf(ben, parent)).toEqual([422, NO_PARENT]);
  });

  test.each([0, -1, 1.5, 2 ** 53, "abc", "soundcloud:comments:1", true, [1], {}])("%j", async (parent) => {
    const [status, message] = await refusalOf(ben, parent);
    expect([status, message]).toEqual([422, expect.stringMatching(/^comment\[parent_id\]: /)]);
  });

  test("a comment whose author left, until they return", async () => {
    const leaver = await createUser();
    const { id } = await createComment(leaver, track);
    const setDisabled = (value: string) =>
      sql(`update users set disabled_at = ${value} where id = $1`, [leaver.id]);
    await setDisabled("now()");
    expect(await refusalOf(ben, id)).toEqual([422, NO_PARENT]);
    await setDisabled("null");
    expect((await createComment(ben, track, { parent_id: id })).parent_id).toBe(id);
  });

  test("a comment that its track reveals to the owner alone", async () => {
    const quiet = await createTrack(owner, { reveal_comments: false });
    const { id } = await createComment(ana, quiet);
    expect(await refusalOf(ben, id, quiet)).toEqual([422, NO_PARENT]);
    for (const who of [ana, owner])
      expect((await createComment(who, quiet, { parent_id: id })).parent_id).toBe(id);
  });

  test("404 and 403: anything on a track that one does not see, or that takes no comments", async () => {
    const hidden = await createTrack(owner, { sharing: "private" });
    const secret = `?secret_token=${hidden.secret}`;
    const { id } = await createComment(ana, hidden, {}, secret);
    expect((await refusalOf(ben, id, hidden))[0]).toBe(404);
    expect(await refusalOf(ben, id)).toEqual([422, NO_PARENT]);
    expect((await createComment(ben, hidden, { parent_id: id }, secret)).parent_id).toBe(id);
    await sql("update tracks set commentable = false where id = $1", [hidden.id]);
    expect((await refusalOf(ben, id, hidden, secret))[0]).toBe(403);
  });
});

describe("a thread without its first comment", () => {
  test("keeps what others said, and goes on from any reply", async () => {
    const first = await createComment(ana, track);
    const reply = await createComment(ben, track, { parent_id: first.id });
    expect((await api.as(ana).delete(pathOf(first))).status).toBe(200);
    expect((await api.as(ben).get(reply.uri)).body).toEqual(reply);
    expect((await createComment(ana, track, { parent_id: reply.id })).parent_id).toBe(first.id);
    expect(await refusalOf(ana, first.id)).toEqual([422, NO_PARENT]);
  });

  test("keeps them too when its author is erased", async () => {
    const leaver = await createUser();
    const first = await createComment(leaver, track);
    const reply = await createComment(ben, track, { parent_id: first.id });
    await sql("delete from users where id = $1", [leaver.id]);
    expect((await api.as(ben).get(reply.uri)).body).toEqual(reply);
  });
});

test("a reply races the deletion of its parent: it stands in the thread or is refused", async () => {
  for (let round = 0; round < 5; round++) {
    const { id, ...first } = await createComment(ana, track);
    const [reply, gone] = await Promise.all([
      comment<Comment & ErrorReply>(ben, track, { body: "Just now", parent_id: id }),
      api.as(ana).delete(pathOf({ id, ...first })),
    ]);
    expect(gone.status).toBe(200);
    if (reply.status === 201) expect(reply.body.parent_id).toBe(id);
    else expect(messageOf(reply)).toEqual([422, NO_PARENT]);
  }
});

describe("a reply is told", () => {
  test("to its parent's author and to all in the thread, but not to who wrote it", async () => {
    const own = await createTrack(owner);
    const [cem, dana] = [await createUser(), await createUser()];
    const first = await createComment(cem, own);
    const reply = await createComment(dana, own, { parent_id: first.id });
    const next = await createComment(await createUser(), own, { parent_id: reply.id });
    await createComment(await createUser(), own);
    const reports = [[`comment ${next.id}`, "conversation"]];
    expect(await taggedFor(dana)).toEqual(reports);
    expect(await taggedFor(cem)).toEqual([...reports, [`comment ${reply.id}`, "conversation"]]);
  });

  test("to the track's owner once, as own and as a reply", async () => {
    const own = await createTrack(owner);
    const first = await createComment(owner, own);
    const reply = await createComment(ana, own, { parent_id: first.id });
    expect(await taggedFor(owner, `${OWN}?limit=1`)).toEqual([[`comment ${reply.id}`, "own, conversation"]]);
  });

  test("to the first author, however much was said since, and no more once it is deleted", async () => {
    const own = await createTrack(owner);
    const cem = await createUser();
    const first = await createComment(cem, own);
    await sql(
      `with many as (insert into users (username, permalink)
         select 'crowd', 'crowd-' || gen_random_uuid() || '-' || n from generate_series(1, 1100) n returning id)
       insert into comments (track_id, user_id, body, sanitizer_version, parent_id)
       select $1, id, 'x', 1, $2 from many`,
      [own.id, first.id],
    );
    const reply = await createComment(ben, own, { parent_id: first.id });
    expect((await happenedTo(cem, "/me/activities?limit=1"))[0]).toBe(`comment ${reply.id}`);
    const rows = await sql("select from activities where comment_id = $1", [reply.id]);
    // The owner, the first author and the last hundred.
    expect(rows).toHaveLength(102);
    await api.as(ben).delete(pathOf(reply));
    expect(await sql("select from activities where comment_id = $1", [reply.id])).toEqual([]);
  });

  test("to nobody whom the track does not reveal it to", async () => {
    const quiet = await createTrack(owner, { reveal_comments: false });
    const cem = await createUser();
    const { id } = await createComment(cem, quiet);
    await createComment(owner, quiet, { parent_id: id });
    expect(await happenedTo(cem)).toEqual([]);
  });
});
