import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm, createPng } from "../../support/images.ts";
import { GIVEN, INVARIANTS } from "../../support/invariants.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, type StoredTrack } from "../../support/tracks.ts";
import { happenedTo, like, share, unlike } from "../activities/activities.support.ts";
import { createComment } from "../comments/comments.support.ts";
import { playable } from "../media/media-files.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { by, played } from "../plays/plays.support.ts";
import { resolved, resolvedTo } from "../resolve/resolve.support.ts";
import { createWebhook, deliveriesOf } from "../webhooks/webhook-receiver.ts";

let ana: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  [ana, ben, cleo] = [await createUser(), await createUser(), await createUser()];
});

const supersede = <Body = Track>(who: Person, id: number, old: unknown) =>
  api.as(who).post<Body>(`/tracks/${id}/supersede`, { json: { superseded_id: old } });

const read = async (who: Person, id: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const repost = (who: Person, { id }: { id: number }) => api.as(who).post(`/reposts/tracks/${id}`);

const playCounted = (who: Person, { id }: { id: number }) => api.as(who).post(`/tracks/${id}/plays`);

const draft = (columns: Record<string, unknown> = {}) =>
  createPlayableTrack(ana, { sharing: "private", ...columns });

/** Follows no redirect. */
const raw = (path: string, who = ana) =>
  fetch(stack.urls.api + path, {
    headers: { Authorization: `OAuth ${who.token}` },
    redirect: "manual",
  });

describe("a track that supersedes another", () => {
  let old: StoredTrack;
  let taker: StoredTrack;
  let before: Track;
  let set: Playlist;
  let comment: Comment;
  let reply: Comment;
  let webhook: { id: number };
  let now: Track;

  beforeAll(async () => {
    old = await createPlayableTrack(ana, { permalink: "demo-2", playback_count: 40, download_count: 7 });
    await api.as(ana).put(`/tracks/${old.id}/permalink`, { json: { permalink: "single" } });
    const other = await createPlayableTrack(ana);
    for (const who of [ben, cleo]) {
      await like(who, old);
      await repost(who, old);
      await playCounted(who, old);
    }
    comment = await createComment(ben, old, { timestamp: 9_999_000 });
    reply = await createComment(cleo, old, { parent_id: comment.id });
    taker = await draft({ permalink: "single-new", title: "Single, mastered", duration_ms: 5_000 });
    // Ben likes and plays both.
    await share(ana, taker, [ben]);
    await like(ben, taker);
    await playCounted(ben, taker);
    set = await createPlaylist(ben, { title: "Mix", tracks: [{ id: other.id }, { id: old.id }] });
    // Two services, to one of which the old one was posted, and a webhook. The lease keeps the job from posting there.
    await sql(
      `with c as (insert into connections (user_id, service, external_id, display_name, post_favorite, post_publish,
           tokens_sealed, leased_until)
         select $1, service, 'ana', 'Ana', false, true, '', 'infinity' from unnest('{twitter,myspace}'::text[]) service returning id)
       insert into connection_posts (connection_id, track_id, kind, due_at) select min(id), $2, 'publish', null from c`,
      [ana.id, old.id],
    );
    webhook = await createWebhook(ana, "https://hooks.example.com/", ["like.created", "comment.created"]);
    before = await read(ana, old.id);
    const { status, body } = await supersede(ana, taker.id, old.id);
    expect(status).toBe(200);
    now = body;
  });

  test("has its likes, reposts, comments, plays and downloads, each counted once", async () => {
    expect(now).toMatchObject({
      id: taker.id,
      title: "Single, mastered",
      sharing: "public",
      favoritings_count: 2,
      reposts_count: 2,
      comment_count: 2,
      playback_count: 43,
      download_count: 7,
    });
    expect((await read(ben, taker.id)).user_favorite).toBe(true);
    expect((await read(ben, taker.id)).user_playback_count).toBe(2);
    const comments = (await api.as(ben).get<Comment[]>(`/tracks/${taker.id}/comments`)).body;
    expect(comments.map(({ id, timestamp, parent_id }) => [id, timestamp, parent_id])).toEqual([
      [reply.id, 9_999_000, comment.id],
      [comment.id, 9_999_000, null],
    ]);
    const history = (await api.as(cleo).get<Track[]>("/me/recently-played/tracks")).body;
    expect(JSON.stringify(history)).toContain(String(taker.id));
  });

  test("has its place in sets, its address and its day of publication", async () => {
    const { tracks = [] } = (await api.as(ben).get<Playlist>(`/playlists/${set.id}`)).body;
    expect(tracks.map(({ id }) => id)[1]).toBe(taker.id);
    expect(now.permalink).toBe("single");
    expect(now.permalink_url).toBe(before.permalink_url);
    const [row] = await sql<{ kept: boolean }>("select published_id < id as kept from tracks where id = $1", [
      taker.id,
    ]);
    expect(row?.kept).toBe(true);
    for (const link of ["single", "single-new", "demo-2"])
      expect(await resolvedTo(ben, `${stack.urls.api}/${ana.username}/${link}`)).toEqual([200, taker.id]);
  });

  test("is told of to nobody", async () => {
    expect((await happenedTo(ana)).length).toBe(4);
    const posts = await sql("select kind, due_at from connection_posts where track_id = $1", [taker.id]);
    expect(posts).toEqual([{ kind: "publish", due_at: null }]);
    expect(await deliveriesOf(ana, webhook)).toEqual([]);
    const [feed] = await sql<{ posts: number }>(
      "select count(*)::int as posts from posts where subject_id = $1 and kind = 'track'",
      [taker.id],
    );
    expect(feed?.posts).toBe(1);
  });

  test("is found by the old id: 301 where it is read, with the query; its streams; and by /resolve", async () => {
    const moved = await raw(`/tracks/${old.id}?a=b&secret_token=${old.secret}`, ben);
    expect(moved.status).toBe(301);
    const location = `${stack.urls.api}/tracks/${taker.id}?a=b&secret_token=${old.secret}`;
    expect([moved.headers.get("Location"), moved.headers.get("Cache-Control")]).toEqual([
      location,
      "private, no-cache",
    ]);
    expect(await moved.json()).toEqual({ status: "301 - Moved Permanently", location });
    expect((await raw(`/me/tracks/${old.id}`)).headers.get("Location")).toContain(`/me/tracks/${taker.id}`);
    expect((await raw(`/tracks/${old.id}/streams`, ben)).status).toBe(200);
    expect((await resolved(ben, `${stack.urls.api}/tracks/${old.id}`)).body.id).toBe(taker.id);
    // Writes and lists of the deleted track are gone.
    expect((await like(ben, old)).status).toBe(404);
    expect((await api.as(ana).delete(`/tracks/${old.id}`)).status).toBe(404);
  });

  test("repeats harmlessly, and hands all on when it is superseded itself", async () => {
    const again = await supersede(ana, taker.id, old.id);
    expect([again.status, again.body.playback_count]).toEqual([200, 43]);
    const third = await draft();
    const { body } = await supersede(ana, third.id, taker.id);
    expect([body.permalink, body.favoritings_count, body.playback_count]).toEqual(["single", 2, 43]);
    for (const id of [old.id, taker.id])
      expect((await raw(`/tracks/${id}`, ben)).headers.get("Location")).toBe(
        `${stack.urls.api}/tracks/${third.id}`,
      );
  });
});

test("an episode keeps its number, and its transcript and chapters where the new track has none", async () => {
  const [first, second] = [await draft(), await draft()];
  const send = (id: number, of: string, json: object) => api.as(ana).put(`/tracks/${id}/${of}`, { json });
  const said = (word: string) => ({
    transcript: { content: `WEBVTT\n\n00:00.000 --> 00:01.000\n${word}` },
  });
  await send(first.id, "episode", { episode: { number: 7 } });
  await send(first.id, "transcript", said("Old"));
  await send(first.id, "chapters", { chapters: [{ startTime: 1, title: "Part" }] });
  const picture = createForm({ "chapter[picture_data]": await createPng() });
  await api.as(ana).put(`/tracks/${first.id}/chapters/1000/picture`, picture);
  await send(second.id, "transcript", said("New"));
  expect((await supersede(ana, second.id, first.id)).status).toBe(200);
  const of = async (part: string) => (await api.as(ana).get(`/tracks/${second.id}/${part}`)).body;
  expect(await of("episode")).toMatchObject({ number: 7, chapters: [{ start: 1_000, title: "Part" }] });
  expect(await of("transcript")).toMatchObject({ segments: [{ body: "New" }] });
  const chapters = `/tracks/${second.id}/chapters`;
  const { body } = await api.as(ana).get<{ chapters: { img: string }[] }>(chapters);
  const img = body.chapters[0]?.img ?? "";
  expect((await fetch(img)).status).toBe(200);
  const [version] = /[0-9a-f]{32}/.exec(img) ?? [];
  expect(await sql("select from object_garbage where prefix = $1", [`images/${version}/`])).toEqual([]);
});

test("a private track keeps its link, its time and the people it was shared with", async () => {
  const old = await createPlayableTrack(ana, { sharing: "private", permalink: "demo" });
  const publish_at = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
  await api.as(ana).put(`/tracks/${old.id}`, { json: { track: { publish_at } } });
  await share(ana, old, [ben], "Listen");
  expect(await happenedTo(ben)).toContain(`track-sharing ${old.id}`);
  const taker = await draft();
  const { body } = await supersede(ana, taker.id, old.id);
  expect([body.sharing, body.secret_token]).toEqual(["private", old.secret]);
  expect(body.publish_at).toBe(publish_at);
  expect((await read(ben, taker.id)).id).toBe(taker.id);
  expect((await api.as(cleo).get<Track>(`/tracks/${taker.id}?secret_token=${old.secret}`)).status).toBe(200);
  expect((await api.as(cleo).get(`/tracks/${taker.id}?secret_token=${taker.secret}`)).status).toBe(404);
  // A redirect would reveal the track.
  expect((await raw(`/tracks/${old.id}`, cleo)).status).toBe(404);
  const shares = (await happenedTo(ben)).filter((one) => one.startsWith("track-sharing"));
  expect(shares[0]).toBe(`track-sharing ${taker.id}`);
  expect(shares).not.toContain(`track-sharing ${old.id}`);
});

test("a set that holds both keeps the old one's place for the new one", async () => {
  const [old, other, taker] = [await createPlayableTrack(ana), await createPlayableTrack(ana), await draft()];
  const ids = [taker.id, old.id, other.id].map((id) => ({ id }));
  const set = await createPlaylist(ana, { title: "Both", tracks: ids });
  await supersede(ana, taker.id, old.id);
  const { tracks = [] } = (await api.as(ana).get<Playlist>(`/playlists/${set.id}`)).body;
  expect(tracks.map(({ id }) => id)).toEqual([taker.id, other.id]);
});

test("counters and posts of people stay right where privacy, or what is revealed, differs", async () => {
  const hidden = await createPlayableTrack(ana, { sharing: "private", reveal_comments: false });
  await share(ana, hidden, [ben, cleo]);
  await like(ben, hidden);
  await repost(ben, hidden);
  await createComment(ben, hidden);
  await createComment(cleo, hidden);
  const { I3, I6 } = INVARIANTS;
  const miscounted = () =>
    sql(`${GIVEN} ${I3?.broken} union all ${I6?.broken}`, [[ana.id, ben.id, cleo.id], "[]", "{}"]);
  const open = await createPlayableTrack(ana);
  await supersede(ana, open.id, hidden.id);
  expect(await miscounted()).toEqual([]);
  const quiet = await draft({ reveal_comments: false });
  expect((await supersede(ana, quiet.id, open.id)).body.comment_count).toBe(2);
  expect(await miscounted()).toEqual([]);
});

test("a play that was under way counts for the new track", async () => {
  const [old, taker] = [await createPlayableTrack(ana), await draft()];
  const under = played(old.id, by(ben));
  await supersede(ana, taker.id, old.id);
  await sql("select count_plays($1::jsonb)", [JSON.stringify([under])]);
  expect((await read(ana, taker.id)).playback_count).toBe(1);
});

describe("refusals", () => {
  const refused = async (who: Person, id: number, old: unknown) => {
    const { status, body } = await supersede<ErrorReply>(who, id, old);
    return [status, body.errors?.[0]?.error_message ?? ""];
  };

  test("409: a track that is not finished, and 403: one that was taken down, which stays down", async () => {
    const [old, down] = [await createPlayableTrack(ana), await createPlayableTrack(ana)];
    const encoding = await createTrack(ana, { sharing: "private" });
    expect((await refused(ana, encoding.id, old.id))[0]).toBe(409);
    await operate("track take-down", "--track", String(down.id), "--reason", "Somebody else's");
    const taker = await draft();
    expect((await refused(ana, taker.id, down.id))[0]).toBe(403);
    expect((await refused(ana, down.id, old.id))[0]).toBe(403);
    expect((await read(ana, down.id)).sharing).toBe("private");
  });

  test("422: an old track that is another's, missing, itself or no id; 404 and 403: a new one that is another's", async () => {
    const [taker, theirs] = [await draft(), await createPlayableTrack(ben)];
    for (const old of [theirs.id, taker.id, 1, 0, "x", null]) {
      const [status, message] = await refused(ana, taker.id, old);
      expect([old, status, message]).toEqual([old, 422, expect.stringMatching(/^superseded_id: /)]);
    }
    const old = await createPlayableTrack(ana);
    expect((await refused(ana, theirs.id, old.id))[0]).toBe(403);
    expect((await refused(ben, taker.id, theirs.id))[0]).toBe(404);
    expect((await read(ana, old.id)).id).toBe(old.id);
  });
});

test("likes, unlikes and comments at the same moment are kept or refused, and counted right", async () => {
  const [old, taker] = [await playable(ana), await draft()];
  await like(cleo, old);
  const [superseding, ...others] = await Promise.all([
    supersede(ana, taker.id, old.id),
    like(ben, old),
    unlike(cleo, old),
    api.as(ben).post(`/tracks/${old.id}/comments`, { json: { comment: { body: "Just now" } } }),
    supersede(ana, taker.id, old.id),
    playCounted(ben, old),
  ]);
  expect(superseding?.status).toBe(200);
  for (const { status } of others) expect([200, 201, 404]).toContain(status);
  const { favoritings_count, comment_count } = await read(ana, taker.id);
  const [rows] = await sql<{ favorites: number; comments: number }>(
    `select (select count(*)::int from favorites where track_id = $1) as favorites,
       (select count(*)::int from comments where track_id = $1) as comments`,
    [taker.id],
  );
  expect([favoritings_count, comment_count]).toEqual([rows?.favorites, rows?.comments]);
});
