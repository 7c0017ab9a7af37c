import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { shortWav } from "../support/tracks.ts";
import { createUploader, encodesIn } from "./encodes.support.ts";
import { brokenInvariants } from "./invariants.ts";
import { type FaultyStack, startFaultyStack } from "./oauth/faulty-stack.ts";

const WAITING = 5;

/** Its crons run only on request. */
let faulty: FaultyStack;

beforeAll(async () => {
  vi.stubEnv("TRANSCODER_CAPACITY", "1");
  faulty = await startFaultyStack();
  vi.unstubAllEnvs();
});
afterAll(() => faulty?.stop());

const reconcile = () => faulty.stack.worker.scheduled({ cron: "* * * * *" });

const garbageOf = (tracks: number[]) =>
  faulty.auth.sql("select prefix from object_garbage where prefix like any ($1)", [
    tracks.map((id) => `t/${id}/%`),
  ]);

test("waiting jobs leave no garbage rows, are not offered repeatedly, and are woken in turn", {
  timeout: 300_000,
}, async () => {
  const ana = await createUploader(faulty);
  const long = await ana.upload(shortWav(30));
  await expect.poll(() => encodesIn(faulty), { interval: 20 }).toBe(1);
  const waiting: number[] = [];
  for (let n = 0; n < WAITING; n++) waiting.push(await ana.upload(shortWav()));
  const [row] = await faulty.auth.sql(
    "select count(*)::int as parked from encoding_jobs where track_id = any($1) and state = 'queued' and attempt = 0",
    [waiting],
  );
  expect(row?.parked).toBeGreaterThan(0);
  expect(await garbageOf(waiting)).toEqual([]);
  for (const id of [long, ...waiting])
    await expect.poll(() => ana.state(id), { timeout: 110_000 }).toBe("finished");
  for (const id of waiting)
    expect((await ana.track(id)).encoding).toMatchObject({ attempts: 1, reason: null });
  expect(await garbageOf([long, ...waiting])).toEqual([]);
  expect(await brokenInvariants([ana.userId], faulty)).toEqual([]);
});

test("a waiting job causes no writes", { timeout: 300_000 }, async () => {
  const ana = await createUploader(faulty);
  const long = await ana.upload(shortWav(60));
  await expect.poll(() => encodesIn(faulty), { interval: 20 }).toBe(1);
  const id = await ana.upload(shortWav());
  const look = () =>
    faulty.auth.sql(
      "select xmin::text, state = 'queued' and lease_until >= dispatched_at as waits from encoding_jobs where track_id = $1",
      [id],
    );
  // Offered and returned.
  await expect.poll(async () => (await look())[0]?.waits, { interval: 50 }).toBe(true);
  await new Promise((wake) => setTimeout(wake, 500));
  const before = await look();
  await reconcile();
  await reconcile();
  const after = await look();
  expect(await ana.state(long)).toBe("processing");
  expect(after).toEqual(before);
  await expect.poll(() => ana.state(id), { timeout: 110_000 }).toBe("finished");
});

test("the cron finds a waiting job that nobody is left to wake", { timeout: 300_000 }, async () => {
  const ana = await createUploader(faulty);
  const id = await ana.upload(shortWav());
  await expect.poll(() => ana.state(id), { timeout: 60_000 }).toBe("finished");
  await faulty.auth.sql(
    "update tracks set state = 'processing', media = null, media_prefix = null where id = $1",
    [id],
  );
  const park = (ago: string) =>
    faulty.auth.sql(
      `update encoding_jobs set state = 'queued', generation = generation + 1, attempt = 0, lease_token = null,
         next_run_at = now() - interval '5 min', dispatched_at = now() - $2::interval, lease_until = now() - $2::interval
       where track_id = $1`,
      [id, ago],
    );
  await park("10 s");
  await reconcile();
  const [job] = await faulty.auth.sql(
    "select dispatched_at < now() - interval '9 s' as waits from encoding_jobs where track_id = $1",
    [id],
  );
  expect(job?.waits).toBe(true);
  await park("61 s");
  await reconcile();
  await expect.poll(() => ana.state(id), { timeout: 60_000 }).toBe("finished");
});
