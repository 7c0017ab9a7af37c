import { decodeJwt } from "jose";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../db/client.ts";
import { EventReader } from "../../../functions/api/webhooks/event-looks.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { Listener } from "./event-listener.ts";

let ana: Person;
let ben: Person;

beforeEach(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

const like = async (track: { id: number } | undefined) =>
  expect((await api.as(ben).post(`/likes/tracks/${track?.id}`)).status).toBe(200);

const createTracks = (count: number) =>
  Promise.all(Array.from({ length: count }, () => createPlayableTrack(ana)));

/** Runs `work` beside a transaction that stays open, and commits it afterwards. */
async function besideTransaction(statement: string, values: unknown[], work: () => Promise<void>) {
  const other = new pg.Client({ connectionString: stack.databaseUrl });
  await other.connect();
  try {
    await other.query("begin");
    await other.query(statement, values);
    await work();
    await other.query("commit");
  } finally {
    await other.end();
  }
}

test("an event comes while transactions that began before it are still open", async () => {
  const track = await createPlayableTrack(ana);
  const listener = await new Listener().open(ana);
  await besideTransaction("update apps set name = name where id = $1", [ben.app.id], async () => {
    await like(track);
    expect(await listener.received(1)).toEqual(["like.created"]);
  });
  listener.stop();
});

test("an event that is committed late comes then, to a stream that has read later ones", async () => {
  const track = await createPlayableTrack(ana);
  const listener = await new Listener().open(ana);
  const follow = "insert into followings (user_id, followee_id) values ($1, $2)";
  await besideTransaction(follow, [ben.id, ana.id], async () => {
    await like(track);
    expect(await listener.received(1)).toEqual(["like.created"]);
  });
  expect(await listener.received(2)).toEqual(["like.created", "follow.created"]);
  listener.stop();
});

/** Sets a user's log back, as a restored database has it. A stream that is open notices and ends. */
async function restore(who: Person, last: string | undefined, stream: Listener) {
  await sql("delete from stream_events where user_id = $1 and number > $2", [who.id, last]);
  await sql("update event_streams set last = $2 where user_id = $1", [who.id, last]);
  await expect.poll(() => stream.ended).toBe(true);
}

test("a stream from later than a restored database says `reset` and tells what comes from then on", async () => {
  const tracks = await createTracks(3);
  const before = await new Listener().open(ana);
  const start = before.lastId;
  await like(tracks[0]);
  await before.received(1);
  await restore(ana, start, before);
  const listener = await new Listener().open(ana, before.lastId);
  expect(await listener.received(1)).toEqual(["reset"]);
  // One block: a client that has the id has the reset, too, wherever the connection breaks.
  expect(listener.lines).toMatch(/^id: \d+\nretry: \d+\nevent: reset\ndata: .+\n\n/);
  // Now it has a place of the restored log, and keeps it.
  listener.stop();
  await like(tracks[1]);
  const next = await new Listener().open(ana, listener.lastId);
  await like(tracks[2]);
  expect(await next.received(2)).toEqual(["like.created", "like.created"]);
  next.stop();
});

test("a client that comes back after events went on in a restored log hears `reset` before them", async () => {
  const tracks = await createTracks(2);
  const before = await new Listener().open(ana);
  const start = before.lastId;
  await like(tracks[0]);
  await before.received(1);
  await restore(ana, start, before);
  await like(tracks[1]);
  const listener = await new Listener().open(ana, before.lastId);
  expect(await listener.received(2)).toEqual(["reset", "like.created"]);
  listener.stop();
});

test("a client whose next event was forgotten hears `reset`, and one that lacks nothing does not", async () => {
  const tracks = await createTracks(3);
  const before = await new Listener().open(ana);
  for (const track of tracks) await like(track);
  await before.received(3);
  before.stop();
  // The isolate holds the newest events as long as a stream is open.
  const open = () => sql("select from event_streams where user_id = $1 and cardinality(open) > 0", [ana.id]);
  await expect.poll(open).toEqual([]);
  const [first, second, third] = before.messages.map(({ id }) => id);
  await sql("delete from stream_events where user_id = $1 and number <= $2", [ana.id, second]);
  const heard = async (after: string | undefined) => {
    const listener = await new Listener().open(ana, after);
    await listener.received(after === first ? 2 : after === second ? 1 : 0);
    listener.stop();
    return listener.messages.map(({ type }) => type);
  };
  expect(await heard(first)).toEqual(["reset", "like.created"]);
  expect(await heard(second)).toEqual(["like.created"]);
  expect(await heard(third)).toEqual([]);
});

test("the ninth stream of a user ends the oldest, and others' streams go on", async () => {
  const track = await createPlayableTrack(ana);
  const other = await new Listener().open(ben);
  const streams: Listener[] = [];
  for (let nth = 1; nth <= 9; nth++) streams.push(await new Listener().open(ana));
  await expect.poll(() => streams.map(({ ended }) => ended)).toEqual([true, ...Array(8).fill(false)]);
  // Otherwise nine clients would push each other out every second.
  expect(streams[0]?.lines).toContain("retry: 60000");
  await like(track);
  for (const stream of streams.slice(1)) expect(await stream.received(1)).toEqual(["like.created"]);
  expect(other.ended).toBe(false);
  for (const stream of [...streams, other]) stream.stop();
});

test("a stream that catches up with another one ends with its own session", async () => {
  const track = await createPlayableTrack(ana);
  const listener = await new Listener().open(ana);
  await like(track);
  await listener.received(1);
  const { appDatabaseUrl, proxyUrl } = stack;
  const db = openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
  const session = {
    sessionId: Number(decodeJwt(ana.token).sid),
    clientId: ana.app.client_id,
    userId: ana.id,
  };
  const [{ open: [stream = 0] = [], last = 0 } = {}] = await sql<{ open: number[]; last: number }>(
    "select open::float8[] as open, last::float8 as last from event_streams where user_id = $1",
    [ana.id],
  );
  const readerAfter = (after: number) => new EventReader(db, { ...session, stream }, after);
  const earlier = Number(listener.lastId) - 1;
  const readers = [last, earlier, earlier].map(readerAfter);
  expect(await readers[1]?.next(() => false)).toMatchObject([{ event: "like.created" }]);
  await sql("update sessions set revoked_at = now() where id = $1", [session.sessionId]);
  expect(await readers[2]?.next(() => false)).toBe("over");
  for (const reader of readers) await reader.close();
  listener.stop();
});
