import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { issueTicket } from "../../workers/encoding/ticket.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { shortWav } from "../support/tracks.ts";
import { createUploader, encodesIn } from "./encodes.support.ts";
import { FINISHED, LOST } from "./leases.support.ts";

const WAITING = 3;

/** Its crons run only on request. */
let faulty: FaultyStack;

beforeAll(async () => {
  vi.stubEnv("TRANSCODER_SLOTS", "1");
  faulty = await startFaultyStack();
  vi.unstubAllEnvs();
});
afterAll(() => faulty?.stop());

const reconcile = () => faulty.stack.worker.scheduled({ cron: "* * * * *" });

const deliver = async (track: number, generation: number) => {
  const body = { track, generation };
  return faulty.stack.worker.queue("jobs", [
    { id: `${track}-${generation}`, timestamp: new Date(), attempts: 1, body },
  ]);
};

const jobOf = async (id: number) => {
  const [job] = await faulty.auth.sql(
    "select state, attempt, generation, transcoder from encoding_jobs where track_id = $1",
    [id],
  );
  return job;
};

type Uploader = Awaited<ReturnType<typeof createUploader>>;

/** Waits until the track is encoded and its transcoder, which asks for its next job, has got none. */
async function encoded(by: Uploader, id: number): Promise<void> {
  await expect.poll(() => by.state(id)).toBe("finished");
  const asked = () =>
    faulty.auth.sql(
      `select from encoding_jobs j join transcoders t on t.name = j.transcoder
       where j.track_id = $1 and t.seen_at >= j.finished_at`,
      [id],
    );
  await expect.poll(asked).toHaveLength(1);
}

const reset = (id: number) =>
  faulty.auth.sql("update tracks set state = 'processing', media = null, media_prefix = null where id = $1", [
    id,
  ]);

/** Imitates a job that was sent this long ago, and whose message is lost. */
const requeue = (id: number, ago: string) =>
  faulty.auth.sql(
    `update encoding_jobs set state = 'queued', generation = generation + 1, attempt = 0, lease_token = null,
       next_run_at = now() - interval '5 min', dispatched_at = now() - $2::interval, lease_until = null
     where track_id = $1`,
    [id, ago],
  );

const garbageOf = (tracks: number[]) =>
  faulty.auth.sql("select prefix from object_garbage where prefix like any ($1)", [
    tracks.map((id) => `t/${id}/%`),
  ]);

const statements = async () => {
  const reply = await fetch(new URL("stats", faulty.stack.proxyUrl));
  return ((await reply.json()) as { queries: number }).queries;
};

test("waiting jobs leave no garbage rows, are never offered in vain, and follow each other without a cron", {
  timeout: 300_000,
}, async () => {
  const ana = await createUploader(faulty);
  const long = await ana.upload(shortWav(30));
  await expect.poll(() => encodesIn(faulty), { interval: 20 }).toBe(1);
  const waiting: number[] = [];
  for (let n = 0; n < WAITING; n++) waiting.push(await ana.upload(shortWav()));
  expect(await jobOf(waiting.at(-1) ?? 0)).toMatchObject({ state: "queued", attempt: 0 });
  expect(await garbageOf(waiting)).toEqual([]);
  for (const id of [long, ...waiting])
    await expect.poll(() => ana.state(id), { timeout: 110_000 }).toBe("finished");
  for (const id of waiting)
    expect((await ana.track(id)).encoding).toMatchObject({ attempts: 1, reason: null });
  expect(await garbageOf([long, ...waiting])).toEqual([]);
  expect(await brokenInvariants([ana.userId], faulty)).toEqual([]);
});

test("a job without room causes no writes, no messages and no statements while it waits", {
  timeout: 300_000,
}, async () => {
  const ana = await createUploader(faulty);
  await ana.upload(shortWav(30));
  await expect.poll(() => encodesIn(faulty), { interval: 20 }).toBe(1);
  // The transcoder's own statements would be counted too.
  process.kill(faulty.stack.pids().transcoder ?? 0, "SIGSTOP");
  const id = await ana.upload(shortWav());
  await new Promise((wake) => setTimeout(wake, 1_500));
  // Sent so long ago that the cron would send it again, were there room.
  await faulty.auth.sql(
    "update encoding_jobs set dispatched_at = now() - interval '20 s' where track_id = $1",
    [id],
  );
  const look = () =>
    faulty.auth.sql(
      "select xmin::text, state, attempt, dispatched_at::text from encoding_jobs where track_id = $1",
      [id],
    );
  const [before, count] = [await look(), await statements()];
  await new Promise((wake) => setTimeout(wake, 7_000));
  expect(await statements()).toBe(count);
  await reconcile();
  await reconcile();
  process.kill(faulty.stack.pids().transcoder ?? 0, "SIGCONT");
  expect(await look()).toEqual(before);
  expect(before).toMatchObject([{ state: "queued", attempt: 0 }]);
  await expect.poll(() => ana.state(id), { timeout: 110_000 }).toBe("finished");
});

test.each(["its transcoder ends it", "a message offers the place before its transcoder knows"])(
  "a track deleted during its encode leaves its place to the next job, without a cron: %s (F53)",
  {
    timeout: 240_000,
  },
  async (order) => {
    const ana = await createUploader(faulty);
    const long = await ana.upload(shortWav(120));
    await expect.poll(() => encodesIn(faulty), { interval: 20 }).toBe(1);
    const id = await ana.upload(shortWav());
    // Sent again only after a while, as its first message may still be under way.
    await faulty.auth.sql(
      "update encoding_jobs set dispatched_at = now() - interval '20 s' where track_id = $1",
      [id],
    );
    expect(await jobOf(id)).toMatchObject({ state: "queued" });
    await faulty.auth.sql("delete from uploads where track_id = $1", [long]);
    await faulty.auth.sql("delete from tracks where id = $1", [long]);
    if (order.startsWith("a message")) await deliver(id, 1);
    await expect.poll(() => ana.state(id)).toBe("finished");
  },
);

test.each([
  ["finished", FINISHED],
  ["failed", LOST],
])(
  "a track deleted just before its encode has %s leaves its place to the next job, without a cron",
  {
    timeout: 240_000,
  },
  async (verdict, body) => {
    const ana = await createUploader(faulty);
    const id = await ana.upload(shortWav());
    await expect.poll(() => ana.state(id)).toBe("finished");
    await reset(id);
    await requeue(id, "20 s");
    const { ports, secrets } = faulty.stack;
    const gone = { track: 1, attempt: 1, lease: randomUUID(), transcoder: "pool-0" };
    const reply = await fetch(`http://127.0.0.1:${ports.gateway}/jobs/1/report/${verdict}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${issueTicket(secrets, gone)}` },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(409);
    await expect.poll(() => ana.state(id)).toBe("finished");
  },
);

test("the cron finds a waiting job that nobody is left to hand over", { timeout: 300_000 }, async () => {
  const ana = await createUploader(faulty);
  const id = await ana.upload(shortWav());
  await encoded(ana, id);
  await reset(id);
  await requeue(id, "5 s");
  await reconcile();
  expect(await jobOf(id)).toMatchObject({ state: "queued", attempt: 0 });
  await requeue(id, "16 s");
  await reconcile();
  await expect.poll(() => ana.state(id)).toBe("finished");
});

test("a message of another generation is acknowledged and starts nothing (F33)", async () => {
  const ana = await createUploader(faulty);
  const id = await ana.upload(shortWav());
  await encoded(ana, id);
  await reset(id);
  await faulty.auth.sql(
    `update encoding_jobs set state = 'queued', generation = 2, attempt = 0, next_run_at = now(), dispatched_at = now(),
       lease_until = null where track_id = $1`,
    [id],
  );
  for (const generation of [1, 3]) {
    const { explicitAcks, retryMessages } = await deliver(id, generation);
    expect([explicitAcks.length, retryMessages]).toEqual([1, []]);
  }
  expect(await jobOf(id)).toMatchObject({ state: "queued", attempt: 0, generation: 2 });
  await deliver(id, 2);
  expect(await jobOf(id)).toMatchObject({ attempt: 1, transcoder: "pool-0" });
  await expect.poll(() => ana.state(id)).toBe("finished");
});
