import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endWaiter, locked, someoneWaits, waiting } from "../auth/oauth/table-lock.ts";
import { createTrack, expectUnavailable, sender } from "../lib/http/requests.support.ts";
import { CALLBACK, statuses, times } from "../support/oauth.ts";
import { repeats } from "../support/repeats.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";
import { killPostgresUntil } from "./postgres-kills.support.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;
let send: ReturnType<typeof sender>;
/** Reads a public track as another user. */
let read: () => ReturnType<typeof send>;
let token: string;

beforeAll(async () => {
  faulty = await startFaultyStack({}, 0);
  ({ auth, database } = faulty);
  token = (await auth.signedIn()).tokens.access_token;
  send = sender(faulty);
  const id = await createTrack(auth);
  read = () => send("GET", `/tracks/${id}`, token);
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

const expectRead = async (statements: number) => {
  const { status, headers } = await read();
  expect([status, headers.get("Server-Timing")]).toEqual([
    200,
    expect.stringContaining(`queries: ${statements}`),
  ]);
};

test("503: a read without a database; malformed tokens are still 401, and service resumes (F1, F5)", async () => {
  await database.down();
  expectUnavailable(await read());
  for (const path of ["/me", "/me/tracks", "/uploads"]) expectUnavailable(await send("GET", path, token));
  expect((await send("GET", "/me", "junk")).status).toBe(401);
  expect((await send("GET", "/healthz")).status).toBe(200);
  await database.up();
  await expectRead(1);
});

test("503: the authorize page without a database, without a redirect (F4)", async () => {
  const { client_id } = await auth.createApp();
  const request = new URLSearchParams({
    client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    state: "s",
  });
  await database.down();
  for (const path of [`/authorize?${request}`, `/connect?${request}`]) {
    const page = await send("GET", path);
    expect([page.status, page.headers.get("Location")]).toEqual([503, null]);
    expect(page.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(page.text).not.toMatch(/neon|postgres|fetch failed/i);
  }
});

test("a silent database blocks nobody (F6)", async () => {
  database.blackhole();
  for (const answer of await times(200, read)) expectUnavailable(answer);
  await database.up();
  await expectRead(1);
});

test("a slow database is awaited and queried once (F7, F18)", async () => {
  database.slow(300);
  await expectRead(1);
  database.slow(1_500);
  await expectRead(1);
});

test("a statement that takes too long is cancelled and leaves no waiters (F8)", async () => {
  await locked(
    auth,
    async () => {
      expectUnavailable(await read());
      await expect.poll(() => waiting(auth)).toEqual([]);
    },
    "tracks",
  );
  await expectRead(1);
});

test("a read is repeated if its connection broke in either direction (F9, F10)", async () => {
  for (const breakOnce of [database.cutStatements, database.loseReplies, database.breakReplies]) {
    breakOnce(1);
    await expectRead(2);
    breakOnce(Infinity);
    expectUnavailable(await read());
    await database.up();
  }
});

test("a terminated backend goes unnoticed (F12)", async () => {
  let asked: ReturnType<typeof read> | undefined;
  await locked(
    auth,
    async () => {
      asked = read();
      await endWaiter(auth);
    },
    "tracks",
  );
  expect((await asked)?.status).toBe(200);
});

test("more clients than connections queue, and none is left behind (F14)", async () => {
  const clients = repeats(40, 200);
  const readAll = () => times(clients, read);
  // The proxy treats a statement as a write until it knows it.
  await read();
  let asked: ReturnType<typeof readAll> | undefined;
  await locked(
    auth,
    async () => {
      asked = readAll();
      const connections = async () => (await waiting(auth)).length;
      await expect.poll(connections, { interval: 20 }).toBeGreaterThanOrEqual(20);
      await sleep(300);
      expect(await connections()).toBe(20);
    },
    "tracks",
  );
  expect(statuses((await asked) ?? [])).toEqual(Array(clients).fill(200));
  const busy = () =>
    auth.sql("select from pg_stat_activity where usename = 'soundpost_app' and state <> 'idle'");
  // Presence is recorded after the reply.
  await expect.poll(busy).toEqual([]);
});

test.for(["40P01", "40001"])("a read ended by %s is retried three times (F15)", async (sqlstate) => {
  database.refuse(sqlstate, 3);
  await expectRead(4);
  database.refuse(sqlstate);
  expectUnavailable(await read());
});

test.for(["57014", "57P01", "57P03", "53300", "08006"])("503: %s on a read (X90)", async (sqlstate) => {
  database.refuse(sqlstate);
  expectUnavailable(await read());
});

test("a read waits for a locked table (F17)", async () => {
  let asked: ReturnType<typeof read> | undefined;
  await locked(
    auth,
    async () => {
      asked = read();
      await someoneWaits(auth);
    },
    "tracks",
  );
  expect((await asked)?.status).toBe(200);
});

test("503: reads while Postgres restarts after a kill under load (F13)", async () => {
  const seen = new Set<number>();
  let stopped = false;
  const reading = times(8, async () => {
    while (!stopped) {
      const answer = await read();
      seen.add(answer.status);
      if (answer.status !== 200) expectUnavailable(answer);
      await sleep(20);
    }
  });
  await expect.poll(() => seen.has(200)).toBe(true);
  await killPostgresUntil(() => seen.has(503), faulty);
  await expect.poll(async () => (await read()).status).toBe(200);
  stopped = true;
  await reading;
  await expectRead(1);
});
