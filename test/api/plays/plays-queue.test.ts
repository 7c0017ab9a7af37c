import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { Hono } from "hono";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../db/client.ts";
import { SPOOLED_PLAYS } from "../../../db/objects/keys.ts";
import type { ObjectStore } from "../../../db/objects/port.ts";
import type { PlayedBy } from "../../../functions/api/media/listener.ts";
import { reportPlay } from "../../../functions/api/media/play-report.ts";
import type { MediaGrant } from "../../../functions/api/media/token.ts";
import type { AppEnv } from "../../../functions/lib/http/env.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { countSpooled } from "../../../workers/queues/plays.ts";
import { createUser, type Person } from "../../support/people.ts";
import { deliver, runCron, sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack, storageOf } from "../../support/tracks.ts";
import { by, letPass, markOf, played, playsOf, rolledUp } from "./plays.support.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
});

const visitor = (address: string): PlayedBy => ({ userId: null, address });

const bodies = (...plays: unknown[]) => plays.map((body) => ({ body }));

test("repeated messages, together, apart or concurrent, count once", async () => {
  const { id } = await createPlayableTrack(owner);
  const [one, other] = [played(id, by(fan)), played(id, visitor("a"))];
  expect(await deliver("plays", bodies(one, one, other))).toMatchObject({ outcome: "ok", ackAll: true });
  await deliver("plays", bodies(other, one));
  await Promise.all(Array.from({ length: 10 }, () => deliver("plays", bodies(one, other))));
  expect(await playsOf(owner, id)).toBe(2);
  const reversed = Array.from({ length: 40 }, (_, n) => played(id, visitor(`10.0.0.${n}`)));
  const batches = Array.from({ length: 10 }, (_, n) => (n % 2 ? reversed : reversed.toReversed()));
  for (const { ackAll } of await Promise.all(batches.map((plays) => deliver("plays", bodies(...plays)))))
    expect(ackAll).toBe(true);
  expect(await playsOf(owner, id)).toBe(42);
  await rolledUp(id);
  expect(await playsOf(owner, id)).toBe(42);
});

/** Reports a play to these queues. There is no database within reach. */
async function report(trackId: number, queues: Partial<Record<"PLAYS" | "PLAYS_2" | "PLAYS_3", Queue>>) {
  const pending: Promise<unknown>[] = [];
  const bindings = {
    ...stack.secrets,
    S3_ENDPOINT: stack.urls.objects,
    S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
    S3_MEDIA_BUCKET: MEDIA_BUCKET,
    ...queues,
  };
  const grant = { trackId, listenerId: fan.id } as MediaGrant;
  const streaming = new Hono<AppEnv>().get("/", (c) => {
    reportPlay(c, grant, new Response("audio"));
    return c.body(null);
  });
  const reached = { waitUntil: (work: Promise<unknown>) => void pending.push(work) };
  await streaming.request("/", {}, bindings, reached as never);
  await Promise.all(pending);
}

interface Queue {
  send(play: unknown): Promise<void>;
}

const FULL: Queue = { send: () => Promise.reject(new Error("Too many messages")) };

test("plays that no queue takes are stored, and counted once by the sweep", async () => {
  const [one, other] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  await Promise.all([one, other].map(({ id }) => report(id, { PLAYS: FULL, PLAYS_2: FULL })));
  for (let sweeps = 0; sweeps < 2; sweeps++) await runCron("*/5 * * * *");
  await deliver("plays", bodies(played(one.id, by(fan))));
  expect([await playsOf(owner, one.id), await playsOf(owner, other.id)]).toEqual([1, 1]);
  const left = await storageOf(stack).send(
    new ListObjectsV2Command({ Bucket: UPLOADS_BUCKET, Prefix: SPOOLED_PLAYS }),
  );
  expect(left.KeyCount).toBe(0);
});

test("a queue that is full hands its plays to another, and listeners are spread over all", async () => {
  const taken: string[] = [];
  const queue = (name: string): Queue => ({ send: async () => void taken.push(name) });
  for (let n = 0; n < 40; n++) {
    const { id } = { id: 1_000_000 + n };
    await report(id, { PLAYS: queue("first"), PLAYS_2: FULL, PLAYS_3: queue("third") });
  }
  expect(taken).toHaveLength(40);
  expect(new Set(taken)).toEqual(new Set(["first", "third"]));
});

test("a stored object that breaks off while it is read stays for the next sweep", async () => {
  const deleted: string[] = [];
  const body = new ReadableStream<Uint8Array>({ pull: (to) => to.error(new Error("reset")) });
  const objects: Pick<ObjectStore, "list" | "get" | "deletePrefix"> = {
    list: async () => [`${SPOOLED_PLAYS}x.json`],
    get: async () => ({ size: 100, contentType: "application/json", body }),
    deletePrefix: async (_, key) => deleted.push(key) > 0,
  };
  await expect(countSpooled({} as Database, objects as ObjectStore)).rejects.toThrow("reset");
  expect(deleted).toEqual([]);
});

test("a stored object that holds no plays delays nothing", async () => {
  const Key = `${SPOOLED_PLAYS}broken.json`;
  const { id } = await createPlayableTrack(owner);
  await storageOf(stack).send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key, Body: '[{"track":"x"}]' }));
  await report(id, { PLAYS: FULL });
  await runCron("*/5 * * * *");
  expect(await playsOf(owner, id)).toBe(1);
  expect(workerLog().some(({ event, key }) => event === "spooled_plays_malformed" && key === Key)).toBe(true);
});

test("the time of the play counts, not that of the message", async () => {
  const { id } = await createPlayableTrack(owner);
  const who = visitor("late");
  await deliver(
    "plays",
    bodies(played(id, who, 90), played(id, who, 45), played(id, who, 61), played(id, who, 20)),
  );
  expect(await playsOf(owner, id)).toBe(2);
  await deliver("plays", bodies(played(id, who, 14)));
  expect(await playsOf(owner, id)).toBe(3);
  await deliver("plays", bodies(played(id, who, 90), played(id, who, 0), played(id, who, 43)));
  expect(await playsOf(owner, id)).toBe(3);
});

test("a fast clock gives nobody an additional window", async () => {
  const { id } = await createPlayableTrack(owner);
  await deliver("plays", bodies(played(id, by(fan), -600), played(id, by(fan), -1_200), played(id, by(fan))));
  expect(await playsOf(owner, id)).toBe(1);
});

test("messages hours late count nothing, because their marks may be gone", async () => {
  const { id } = await createPlayableTrack(owner);
  await deliver("plays", bodies(played(id, visitor("x"), 361), played(id, visitor("y"), 359)));
  expect(await playsOf(owner, id)).toBe(1);
  for (const [minutes, left] of [
    [29, 1],
    [4, 0],
  ] as const) {
    await letPass(minutes, id, visitor("y"));
    await runCron("*/5 * * * *");
    const marks = await sql("select 1 from play_marks where mark = $1", [markOf(id, visitor("y"))]);
    expect([minutes, marks.length]).toEqual([minutes, left]);
  }
});

test("deleted tracks and users, and malformed messages, delay nothing", async () => {
  const { id } = await createPlayableTrack(owner);
  const gone = await createPlayableTrack(owner);
  await sql("delete from tracks where id = $1", [gone.id]);
  const malformed = [
    null,
    "play",
    {},
    { ...played(id, by(fan)), mark: "?" },
    { ...played(id, by(fan)), at: "1" },
  ];
  const outcome = await deliver(
    "plays",
    bodies(played(gone.id, by(fan)), played(id, by({ id: 1 })), ...malformed, played(id, by(fan))),
  );
  expect(outcome).toMatchObject({ outcome: "ok", ackAll: true });
  expect(await playsOf(owner, id)).toBe(2);
  await expect
    .poll(() =>
      workerLog().some(({ event, messages }) => event === "play_messages_malformed" && messages === 5),
    )
    .toBe(true);
});
