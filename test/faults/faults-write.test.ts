import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endWaiter, locked, someoneWaits, waiting } from "../auth/oauth/table-lock.ts";
import {
  createReadyUpload,
  expectUnanswered,
  expectUnavailable,
  type Sent,
  sender,
} from "../lib/http/requests.support.ts";
import { CALLBACK, statuses, times } from "../support/oauth.ts";
import { repeats } from "../support/repeats.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";
import { killPostgresUntil } from "./postgres-kills.support.ts";

let faulty: FaultyStack;
let { auth, database } = {} as FaultyStack;
let send: ReturnType<typeof sender>;
let user: number;
let token: string;

beforeAll(async () => {
  faulty = await startFaultyStack({ APP_REGISTRATIONS_PER_HOUR: "off" }, 0);
  ({ auth, database } = faulty);
  send = sender(faulty);
  // Values of the tracks, apps and uploads below.
  database.meet("Patience", "App ", "a.wav");
  const { userId, tokens } = await auth.signedIn();
  [user, token] = [userId, tokens.access_token];
});
afterEach(() => database.up());
afterAll(() => faulty.stop());

/** Idempotent: the same upload yields the same track. */
const create = (upload: number) =>
  send("POST", "/tracks", token, { track: { title: "Patience", upload_id: upload } });

const tracksOf = async (upload: number) =>
  (
    await auth.sql("select 1 from tracks t join uploads u on u.object_key = t.original_key where u.id = $1", [
      upload,
    ])
  ).length;

let named = 0;
const uniqueName = () => `App ${++named}`;

/** Not idempotent: each call creates another app. */
const register = (name: string) => send("POST", "/me/apps", token, { name, redirect_uris: [CALLBACK] });

const appsCalled = async (name: string) =>
  (await auth.sql("select 1 from apps where owner_id = $1 and name = $2", [user, name])).length;

/** Creates a track while `during` locks the table of uploads. */
async function createWhileLocked(during: () => Promise<unknown>) {
  const upload = await createReadyUpload(faulty, user);
  let asked: Promise<Sent> | undefined;
  await locked(
    auth,
    async () => {
      asked = create(upload);
      await someoneWaits(auth);
      await during();
    },
    "uploads",
  );
  return { upload, made: await (asked ?? expect.unreachable()) };
}

test("a write without a database leaves nothing, and succeeds later (F2, I14)", async () => {
  const [upload, name] = [await createReadyUpload(faulty, user), uniqueName()];
  await database.down();
  expectUnavailable(await create(upload));
  expectUnavailable(await register(name));
  expectUnavailable(await send("POST", "/uploads", token, { filename: "a.wav", size: 9, type: "audio/wav" }));
  await database.up();
  expect([await tracksOf(upload), await appsCalled(name)]).toEqual([0, 0]);
  expect(statuses([await create(upload), await register(name)])).toEqual([201, 201]);
});

test("a silent database blocks nobody (F6)", async () => {
  const upload = await createReadyUpload(faulty, user);
  database.blackhole();
  for (const answer of await times(100, () => create(upload))) expectUnanswered(answer);
  await database.up();
  expect(await tracksOf(upload)).toBe(0);
  expect((await create(upload)).status).toBe(201);
});

test("a slow database is awaited and queried once (F7, F18)", async () => {
  for (const ms of [300, 1_500]) {
    database.slow(ms);
    const { status, headers } = await create(await createReadyUpload(faulty, user));
    expect([status, headers.get("Server-Timing")]).toEqual([201, expect.stringContaining("queries: 1")]);
  }
});

test("a statement that takes too long is cancelled and leaves nothing (F8)", async () => {
  const upload = await createReadyUpload(faulty, user);
  await locked(
    auth,
    async () => {
      expectUnanswered(await create(upload));
      await expect.poll(() => waiting(auth)).toEqual([]);
    },
    "uploads",
  );
  expect(await tracksOf(upload)).toBe(0);
  expect((await create(upload)).status).toBe(201);
});

test("a write that broke on its way is repeated if idempotent, otherwise its outcome is unknown (F9)", async () => {
  const [upload, name] = [await createReadyUpload(faulty, user), uniqueName()];
  database.cutStatements(1);
  expectUnanswered(await register(name));
  expect(await appsCalled(name)).toBe(0);
  database.cutStatements(2);
  expectUnanswered(await create(upload));
  expect(await tracksOf(upload)).toBe(0);
  database.cutStatements(1);
  expect((await create(upload)).status).toBe(201);
  expect(await tracksOf(upload)).toBe(1);
});

test("an idempotent write is repeated after a lost reply and never done twice (F10)", async () => {
  for (const lose of [database.loseReplies, database.breakReplies]) {
    const [upload, name] = [await createReadyUpload(faulty, user), uniqueName()];
    lose(1);
    expect((await create(upload)).status).toBe(201);
    expect(await tracksOf(upload)).toBe(1);
    lose(1);
    expectUnanswered(await register(name));
    expect(await appsCalled(name)).toBe(1);
  }
});

test("an upload whose opening lost its reply is opened once (F10)", async () => {
  const sessions = () => auth.sql("select 1 from uploads where user_id = $1 and status = 'open'", [user]);
  const before = (await sessions()).length;
  database.loseReplies(1);
  const opened = await send("POST", "/uploads", token, { filename: "a.wav", size: 9, type: "audio/wav" });
  expect(opened.status, opened.text).toBe(201);
  expect((await sessions()).length).toBe(before + 1);
});

test("504: a write whose reply is lost repeatedly may have been done (F10)", async () => {
  const upload = await createReadyUpload(faulty, user);
  database.loseReplies(Infinity);
  expectUnanswered(await create(upload));
  await database.up();
  expect(await tracksOf(upload)).toBe(1);
  const again = await create(upload);
  expect([again.status, await tracksOf(upload)]).toEqual([201, 1]);
});

test("a backend terminated in its transaction leaves all or nothing (F12)", async () => {
  const { upload, made } = await createWhileLocked(() => endWaiter(auth));
  expect([made.status, await tracksOf(upload)]).toEqual([201, 1]);

  const name = uniqueName();
  await locked(
    auth,
    async () => {
      const asked = register(name);
      await auth.sql("select pg_terminate_backend($1)", [await someoneWaits(auth)]);
      expectUnavailable(await asked);
    },
    "apps",
  );
  expect(await appsCalled(name)).toBe(0);
});

test("more clients than connections queue (F14)", async () => {
  const name = uniqueName();
  const clients = repeats(40, 200);
  expect(statuses(await times(clients, () => register(name)))).toEqual(Array(clients).fill(201));
  expect(await appsCalled(name)).toBe(clients);
});

test.for(["40P01", "40001"])("a write ended by %s is retried three times (F15)", async (sqlstate) => {
  const name = uniqueName();
  database.refuse(sqlstate, 3);
  expect((await register(name)).status).toBe(201);
  database.refuse(sqlstate);
  expectUnavailable(await register(name));
  await database.up();
  expect(await appsCalled(name)).toBe(1);
});

test("both writes of a deadlock succeed (F15)", async () => {
  const upload = await createReadyUpload(faulty, user);
  const other = await auth.connect();
  try {
    // The service locks the upload, then its object's garbage. This transaction locks them in reverse.
    const [prefix] = await auth.sql<{ key: string }>("select object_key as key from uploads where id = $1", [
      upload,
    ]);
    await auth.sql("insert into object_garbage (prefix, bucket, due_at) values ($1, 'uploads', 'infinity')", [
      prefix?.key,
    ]);
    await other.query("begin");
    await other.query("select from object_garbage where prefix = $1 for update", [prefix?.key]);
    const asked = create(upload);
    await someoneWaits(auth);
    // Usually the first waiter is ended. If it is this one, its locks are gone, too.
    await other.query("select from uploads where id = $1 for update", [upload]).catch(() => {});
    await other.query("commit");
    expect([(await asked).status, await tracksOf(upload)]).toEqual([201, 1]);
  } finally {
    await other.query("rollback");
    other.release();
  }
});

test("identical concurrent writes create one row and all succeed (F16)", async () => {
  const upload = await createReadyUpload(faulty, user);
  // Fifty take longer than a statement may on a slow machine that is busy.
  const clients = repeats(20, 50);
  const answers = await times(clients, () => create(upload));
  expect(statuses(answers)).toEqual(Array(clients).fill(201));
  expect(new Set(answers.map(({ text }) => JSON.parse(text).id)).size).toBe(1);
  expect(await tracksOf(upload)).toBe(1);
});

test("a write waits for a locked table (F17)", async () => {
  const { upload, made } = await createWhileLocked(async () => {});
  expect([made.status, await tracksOf(upload)]).toEqual([201, 1]);
});

test("after a kill of Postgres under load, writes answered 201 exist and those answered 503 do not (F13, I4, I14)", async () => {
  const outcomes = new Map<string, number>();
  let stopped = false;
  const writing = times(8, async () => {
    while (!stopped) {
      const name = uniqueName();
      outcomes.set(name, (await register(name)).status);
      await sleep(20);
    }
  });
  await expect.poll(() => outcomes.size).toBeGreaterThan(8);
  await killPostgresUntil(() => [...outcomes.values()].includes(503), faulty);
  await expect.poll(async () => (await register(uniqueName())).status).toBe(201);
  stopped = true;
  await writing;
  const storedNames = new Set(
    (await auth.sql<{ name: string }>("select name from apps where owner_id = $1", [user])).map(
      ({ name }) => name,
    ),
  );
  for (const [name, status] of outcomes) {
    expect([201, 503, 504]).toContain(status);
    if (status !== 504) expect([name, storedNames.has(name)]).toEqual([name, status === 201]);
  }
});
