import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { locked, someoneWaits, waiting } from "../auth/oauth/table-lock.ts";
import {
  createTrack,
  expectUnanswered,
  expectUnavailable,
  type Sent,
  sender,
} from "../lib/http/requests.support.ts";
import { statuses, times } from "../support/oauth.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";
import { killPostgresUntil } from "./postgres-kills.support.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;
let send: ReturnType<typeof sender>;
let user: number;
let token: string;
let track: number;

beforeAll(async () => {
  faulty = await startFaultyStack({ COMMENTS_PER_HOUR: "off", PLAYLIST_EDITS_PER_HOUR: "off" }, 0);
  ({ auth, database } = faulty);
  send = sender(faulty);
  // Values of the playlists and comments below.
  database.meet("Words ");
  const { userId, tokens } = await auth.signedIn();
  [user, token] = [userId, tokens.access_token];
  track = await createTrack(auth, user);
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

let named = 0;
const uniqueName = () => `Words ${++named}`;

const makePlaylist = (title: string, key: string) =>
  send("POST", "/playlists", token, { playlist: { title } }, key);
const comment = (body: string, key: string) =>
  send("POST", `/tracks/${track}/comments`, token, { comment: { body } }, key);

const KINDS = [
  { make: makePlaylist, rows: "select 1 from playlists where user_id = $1 and title = $2" },
  { make: comment, rows: "select 1 from comments where user_id = $1 and body = $2" },
];
type Kind = (typeof KINDS)[number];

const rowsOf = async ({ rows }: Kind, name: string) => (await auth.sql(rows, [user, name])).length;
const idOf = ({ text }: Sent) => JSON.parse(text).id;

test("a write whose replies were lost is one row, and a repetition is told of it (F10)", async () => {
  for (const kind of KINDS) {
    const [name, key] = [uniqueName(), randomUUID()];
    database.loseReplies(Infinity);
    expectUnanswered(await kind.make(name, key));
    await database.up();
    expect(await rowsOf(kind, name)).toBe(1);
    const again = await kind.make(name, key);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    expect(await rowsOf(kind, name)).toBe(1);
    expect(idOf(await kind.make(name, key))).toBe(idOf(again));
  }
});

test("a write whose reply was lost once is answered, as a first request (F10)", async () => {
  for (const kind of KINDS) {
    const name = uniqueName();
    database.loseReplies(1);
    const made = await kind.make(name, randomUUID());
    expect([made.status, made.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
    expect(await rowsOf(kind, name)).toBe(1);
  }
});

test("a write whose backend died leaves its key free (F12)", async () => {
  const [name, key] = [uniqueName(), randomUUID()];
  await locked(
    auth,
    async () => {
      const asked = comment(name, key);
      const twin = async () => (await comment(name, key)).status;
      const pid = await someoneWaits(auth);
      expect(await twin()).toBe(409);
      // The statement is sent once more after the first death.
      await auth.sql("select pg_terminate_backend($1)", [pid]);
      await expect.poll(async () => (await waiting(auth)).map((one) => one.pid)).not.toContain(pid);
      await auth.sql("select pg_terminate_backend($1)", [await someoneWaits(auth)]);
      expectUnavailable(await asked);
    },
    "comments",
  );
  const made = await comment(name, key);
  expect([made.status, made.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
});

test("after kills of Postgres under load, each key that was repeated until it was answered has one row (F13)", async () => {
  const asked: { kind: Kind; name: string; id: number }[] = [];
  const seen: number[] = [];
  let stopped = false;
  const repeatUntilMade = async (kind: Kind) => {
    const [name, key] = [uniqueName(), randomUUID()];
    for (;;) {
      const reply = await kind.make(name, key);
      seen.push(reply.status);
      if (reply.status === 201) return asked.push({ kind, name, id: idOf(reply) });
      expect([409, 503, 504]).toContain(reply.status);
      await sleep(50);
    }
  };
  const writing = times(8, async () => {
    while (!stopped) for (const kind of KINDS) await repeatUntilMade(kind);
  });
  await killPostgresUntil(() => seen.includes(503) || seen.includes(504), faulty);
  await expect.poll(async () => (await makePlaylist(uniqueName(), randomUUID())).status).toBe(201);
  stopped = true;
  await writing;
  for (const { kind, name } of asked) expect([name, await rowsOf(kind, name)]).toEqual([name, 1]);
});

test("a paused database leaves one row of twins that were repeated through the pause", async () => {
  const [name, key] = [uniqueName(), randomUUID()];
  database.blackhole();
  expect(statuses(await times(2, () => comment(name, key)))).toEqual([504, 504]);
  await database.up();
  await expect.poll(async () => (await comment(name, key)).status).toBe(201);
  const kind = KINDS[1] ?? expect.unreachable();
  expect(await rowsOf(kind, name)).toBe(1);
});
