import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { workerLogIn } from "../support/stack.ts";
import { shortWav } from "../support/tracks.ts";
import { createUploader } from "./encodes.support.ts";

/** Two transcoders of one slot each. The crons run only on request. */
let own: FaultyStack;
let ana: Awaited<ReturnType<typeof createUploader>>;

beforeAll(async () => {
  vi.stubEnv("TRANSCODER_SLOTS", "1");
  own = await startFaultyStack({}, 2);
  vi.unstubAllEnvs();
});
afterAll(() => own?.stop());
beforeEach(async () => {
  ana = await createUploader(own);
});

const reconcile = () => own.stack.worker.scheduled({ cron: "* * * * *" });

interface Run {
  track: number;
  transcoder: string;
  attempt: number;
  state: string;
  startedS: number;
  finishedS: number | null;
}

const runs = (tracks: number[]) =>
  own.auth.sql<Run>(
    `select track_id::float8 as track, transcoder, attempt, state, extract(epoch from started_at)::float8 as "startedS",
       extract(epoch from finished_at)::float8 as "finishedS"
     from encoding_jobs where track_id = any($1) order by finished_at`,
    [tracks],
  );

const upload = async (count: number, seconds: number) => {
  const tracks: number[] = [];
  for (let n = 0; n < count; n++) tracks.push(await ana.upload(shortWav(seconds)));
  return tracks;
};

const allFinished = (tracks: number[]) =>
  expect.poll(async () => new Set((await runs(tracks)).map(({ state }) => state)), {
    timeout: 240_000,
    interval: 200,
  });

const statements = async () => {
  const reply = await fetch(new URL("stats", own.stack.proxyUrl));
  return ((await reply.json()) as { queries: number }).queries;
};

test("a batch without a cron keeps both slots busy to its end, and the last job starts where another ended", {
  timeout: 300_000,
}, async () => {
  const tracks = await upload(8, 10);
  await allFinished(tracks).toEqual(new Set(["done"]));
  const all = await runs(tracks);
  expect(all.map(({ attempt }) => attempt)).toEqual(tracks.map(() => 1));
  for (const name of ["pool-0", "pool-1"]) {
    const mine = all.filter(({ transcoder }) => transcoder === name);
    expect(mine.length).toBeGreaterThan(2);
    const [gaps, first, last] = [gapsOf(mine), mine[0]?.startedS ?? 0, mine.at(-1)?.finishedS ?? 0];
    expect(gaps).toBeLessThan((last - first) * 0.2);
  }
});

/** Seconds between the end of each run and the start of the next. */
const gapsOf = (mine: Run[]) =>
  mine.slice(1).reduce((sum, run, at) => sum + run.startedS - (mine[at]?.finishedS ?? Number.NaN), 0);

test("a job takes as many statements in a batch of four as in one of two", {
  timeout: 300_000,
}, async () => {
  const cost = async (count: number) => {
    const before = await statements();
    const tracks = await upload(count, 5);
    // These looks do not pass the proxy, so they are not counted.
    await allFinished(tracks).toEqual(new Set(["done"]));
    return ((await statements()) - before) / count;
  };
  const [few, many] = [await cost(2), await cost(4)];
  expect(many).toBeLessThan(few * 1.15);
});

test("SIGKILL in the middle of a batch: every track is finished, and finished once (F37)", {
  timeout: 300_000,
}, async () => {
  const tracks = await upload(5, 10);
  await expect
    .poll(async () => (await runs(tracks)).filter(({ state }) => state === "done").length, {
      timeout: 120_000,
    })
    .toBeGreaterThan(1);
  const victim = own.stack.pids()["transcoder-1"] ?? 0;
  await expect.poll(async () => (await leasedBy("pool-1")).length, { interval: 20 }).toBe(1);
  process.kill(victim, "SIGKILL");
  const [lost] = await leasedBy("pool-1");
  await expect.poll(() => own.stack.pids()["transcoder-1"] ?? victim).not.toBe(victim);
  // The lease ended with it. The next attempt would wait for five seconds.
  await reconcile();
  await own.auth.sql(
    "update encoding_jobs set next_run_at = now() where track_id = any($1) and state = 'queued'",
    [tracks],
  );
  await reconcile();
  await allFinished(tracks).toEqual(new Set(["done"]));
  const attempts = (await runs(tracks)).filter(({ attempt }) => attempt > 1);
  expect(attempts.map(({ track, attempt }) => [track, attempt])).toEqual([[lost, 2]]);
  const ends = workerLogIn(own.dataDir).filter(({ event }) => event === "job_finished");
  const settled = ends.filter((end) => end.settled === true).map(({ track }) => track);
  // One may lack, if the reply to a report was lost after its commit: then nothing is left for the repeated one to settle.
  expect(new Set(settled).size).toBe(settled.length);
  expect(tracks.filter((track) => settled.includes(track)).length).toBeGreaterThanOrEqual(tracks.length - 1);
});

const leasedBy = async (name: string): Promise<number[]> => {
  const rows = await own.auth.sql<{ track: number }>(
    "select track_id::float8 as track from encoding_jobs where transcoder = $1 and state = 'leased'",
    [name],
  );
  return rows.map(({ track }) => track);
};
