import { beforeEach, expect, test } from "vitest";
import { use } from "../../lib/http/budgets.support.ts";
import { api } from "../../support/api.ts";
import { askDuring, whileHeld } from "../../support/open-transaction.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { Listener } from "./event-listener.ts";

let ana: Person;
let ben: Person;

beforeEach(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

const like = async (who: Person, track: { id: number }) =>
  expect((await api.as(who).post(`/likes/tracks/${track.id}`)).status).toBe(200);

test("a stream tells of likes, comments and followers, but not of the user's own actions", async () => {
  const track = await createPlayableTrack(ana);
  const playlist = await createPlaylist(ana, { title: "A", tracks: named([track.id]) });
  const listener = await new Listener().open(ana);
  await like(ana, track);
  await like(ben, track);
  await createComment(ben, track, { body: "Fine" });
  await api.as(ben).put(`/me/followings/${ana.id}`);
  await api.as(ben).post(`/likes/playlists/${playlist.id}`);
  const types = await listener.received(4);
  expect(types).toEqual(["like.created", "comment.created", "follow.created", "like.created"]);
  expect(listener.messages.map(({ event }) => event.type)).toEqual(types);
  for (const { event } of listener.messages) expect(event.data).toMatchObject({ user: { id: ben.id } });
  listener.stop();
});

test("a stream that breaks off goes on after its last event: nothing is lost, nothing comes twice", async () => {
  const tracks = await Promise.all(Array.from({ length: 6 }, () => createPlayableTrack(ana)));
  const first = await new Listener().open(ana);
  for (const track of tracks.slice(0, 2)) await like(ben, track);
  await first.received(2);
  first.stop();
  await Promise.all(tracks.slice(2, 5).map((track) => like(ben, track)));
  const second = await new Listener().open(ana, first.messages.at(-1)?.id);
  await like(ben, tracks[5] ?? { id: 0 });
  await second.received(4);
  second.stop();
  const liked = [...first.messages, ...second.messages].map(
    ({ event }) => (event.data as { track: { id: number } }).track.id,
  );
  expect(liked.sort()).toEqual(tracks.map(({ id }) => id).sort());
  const again = await new Listener().open(ana, second.messages.at(-2)?.id);
  expect((await again.received(1)).length).toBe(1);
  expect(again.messages[0]).toEqual(second.messages.at(-1));
  again.stop();
});

test("an ended session ends the stream, and the next one is refused", async () => {
  const listener = await new Listener().open(ana);
  await sql("update sessions set revoked_at = now() where user_id = $1", [ana.id]);
  await expect.poll(() => listener.ended).toBe(true);
  const headers = { Accept: "text/event-stream" };
  expect((await api.as(ana).get("/me/events", { headers })).status).toBe(401);
});

test("other users' events stay theirs, and nobody's are logged without a stream", async () => {
  const carl = await createUser();
  const [track, others] = [await createPlayableTrack(ana), await createPlayableTrack(carl)];
  const [listener, other] = [await new Listener().open(ben), await new Listener().open(carl)];
  await like(ben, track);
  await like(ben, others);
  await api.as(ana).put(`/me/followings/${ben.id}`);
  expect(await listener.received(1)).toEqual(["follow.created"]);
  expect(await other.received(1)).toEqual(["like.created"]);
  expect(await sql("select from stream_events where user_id = $1", [ana.id])).toEqual([]);
  for (const one of [listener, other]) one.stop();
});

test("a stream needs a user and an id of its own, and a refusal counts against no budget", async () => {
  const refused = await api.as(ana).get("/me/events", { headers: { Accept: "application/json" } });
  expect([refused.status, refused.headers.has("RateLimit")]).toEqual([406, false]);
  expect((await api.as(await createAppToken()).get("/me/events")).status).toBe(401);
  const headers = { "Last-Event-ID": "1; drop" };
  expect((await api.as(ana).get("/me/events", { headers })).status).toBe(400);
  expect(await sql("select from budgets where bucket like $1", [`event-streams ${ana.id}%`])).toEqual([]);
  await sql("update sessions set revoked_at = now() where user_id = $1", [ana.id]);
  for (const Accept of ["application/json", "*/*"])
    expect((await api.as(ana).get("/me/events", { headers: { Accept } })).status).toBe(401);
});

test.each([
  ["", "Text/Event-Stream", 200],
  ["", "*/*", 200],
  ["", "text/*", 200],
  ["", "application/json, text/event-stream;q=0.5", 200],
  ["", "application/json", 406],
  ["", "application/xml", 406],
  ["", "text/event-stream;q=0, */*", 406],
  [".json", "*/*", 406],
  [".xml", "text/event-stream", 406],
  ["?format=json", "*/*", 406],
])(
  "/me/events%s with Accept: %s is %i, and HEAD too, which opens no stream",
  async (rest, Accept, status) => {
    const url = `${stack.urls.api}/me/events${rest}`;
    const headers = { Authorization: `OAuth ${ana.token}`, Accept };
    const head = await fetch(url, { method: "HEAD", headers });
    expect(await sql("select from event_streams where user_id = $1", [ana.id])).toEqual([]);
    const stopped = new AbortController();
    const reply = await fetch(url, { headers, signal: stopped.signal });
    expect([head.status, reply.status]).toEqual([status, status]);
    for (const { headers } of status === 200 ? [head, reply] : [])
      expect(["Content-Type", "Cache-Control", "X-Accel-Buffering"].map((name) => headers.get(name))).toEqual(
        ["text/event-stream; charset=utf-8", "private, no-store, no-transform", "no"],
      );
    stopped.abort();
  },
);

test("streams count against a budget, because each asks the database every second", async () => {
  const listener = await new Listener().open(ana);
  listener.stop();
  await use(ana, "event-streams", 240);
  const refused = await api.as(ana).get("/me/events", { headers: { Accept: "text/event-stream" } });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test("events are forgotten after a day, and so is a log that nobody reads", async () => {
  const listener = await new Listener().open(ana);
  await like(ben, await createPlayableTrack(ana));
  await listener.received(1);
  await sql("update stream_events set id = id - (25 * 3600000::bigint << 12) where user_id = $1", [ana.id]);
  const left = () => sql("select from stream_events where user_id = $1", [ana.id]);
  await expect.poll(() => runCron("*/5 * * * *").then(left)).toEqual([]);
  // The log of a stream that is open stays.
  expect(await sql("select from event_streams where user_id = $1", [ana.id])).toHaveLength(1);
  await like(ben, await createPlayableTrack(ana));
  await listener.received(2);
  listener.stop();
  await sql("update event_streams set opened_at = now() - interval '25 hours' where user_id = $1", [ana.id]);
  await runCron("*/5 * * * *");
  expect(await sql("select from stream_events where user_id = $1", [ana.id])).toEqual([]);
});

test("a log that nobody reads gets no more events", async () => {
  const track = await createPlayableTrack(ana);
  (await new Listener().open(ana)).stop();
  await sql("update event_streams set opened_at = now() - interval '25 hours' where user_id = $1", [ana.id]);
  await like(ben, track);
  expect(await sql("select from stream_events where user_id = $1", [ana.id])).toEqual([]);
});

test("a long log that nobody reads goes piece by piece, and then ends", async () => {
  const idle = "insert into event_streams (user_id, opened_at) values ($1, now() - interval '25 hours')";
  await whileHeld(idle, [ana.id], async (client) => {
    await client.query(
      "insert into stream_events (user_id, event, data) select $1, 'follow.created', '{}' from generate_series(1, 15)",
      [ana.id],
    );
    const left = async (table: string) =>
      (await client.query(`select from ${table} where user_id = $1`, [ana.id])).rowCount;
    for (const [events, streams] of [
      [5, 1],
      [0, 0],
    ]) {
      await client.query("select forget_stream_events(10)");
      expect([await left("stream_events"), await left("event_streams")]).toEqual([events, streams]);
    }
  });
});

test("an action counts while the log of its event is being closed", async () => {
  const track = await createPlayableTrack(ana);
  (await new Listener().open(ana)).stop();
  const close = "delete from event_streams where user_id = $1";
  await askDuring(close, [ana.id], () => like(ben, track));
});

test("pages of other origins may send the id from which they go on", async () => {
  const preflight = await fetch(`${stack.urls.api}/me/events`, {
    method: "OPTIONS",
    headers: {
      Origin: "https://app.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization,last-event-id",
    },
  });
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Last-Event-ID");
});
