import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { makeSources } from "../support/sources.ts";
import { type Faults, startGatewayProxy } from "./gateway-proxy.ts";
import { startPausedJob } from "./paused-job.ts";
import { eventually, isAlive, startTranscoder, type Transcoder } from "./transcoder-process.ts";

const { wav } = await makeSources();
const toClose: { stop?(): Promise<void>; close?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of toClose.splice(0)) {
    await thing.close?.();
    await thing.stop?.();
  }
});

async function startTestTranscoder(env?: Record<string, string>): Promise<Transcoder> {
  const transcoder = await startTranscoder(env);
  toClose.unshift(transcoder);
  return transcoder;
}

async function startTestJob(transcoder: Transcoder, faults: Faults = {}) {
  const job = await startPausedJob(transcoder, { faults });
  toClose.push(job.worker);
  await eventually("decoder, four encoders", () => transcoder.ffmpegs().length === 5);
  return job;
}

async function health(transcoder: Transcoder) {
  const reply = await fetch(`${transcoder.url}/healthz`);
  return (await reply.json()) as { ok: boolean; jobs: number; idle_s: number };
}

test.for([409, 410])(
  "a heartbeat answered with %i ends every ffmpeg, and no report follows",
  async (status) => {
    const transcoder = await startTestTranscoder();
    let isLost = false;
    const { worker } = await startTestJob(transcoder, { heartbeatStatus: () => (isLost ? status : 200) });
    const pids = transcoder.ffmpegs();
    isLost = true;
    await eventually("no job", () => pids.every((pid) => !isAlive(pid)));
    await expect.poll(() => health(transcoder)).toMatchObject({ jobs: 0 });
    expect(worker.verdicts).toEqual([]);
  },
);

test("a repeated attempt is accepted and changes nothing; at capacity other jobs are told to return later", async () => {
  const transcoder = await startTestTranscoder({ TRANSCODER_SLOTS: "1" });
  const { worker, letGo } = await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  expect(await transcoder.post(worker.job)).toEqual({ status: 202, body: { accepted: true, slots: 1 } });
  expect(await transcoder.post({ ...worker.job, job: "another" })).toEqual({
    status: 503,
    body: { error: "busy", slots: 1 },
  });
  expect(await health(transcoder)).toMatchObject({ ok: true, jobs: 1 });
  expect(transcoder.ffmpegs()).toEqual(pids);
  letGo();
  expect((await worker.verdict).outcome).toBe("finished");
  expect(worker.verdicts).toHaveLength(1);
  expect(worker.stored).toEqual([...new Set(worker.stored)]);
});

test("a later attempt or a later ticket replaces a job, and an earlier attempt is refused", async () => {
  const transcoder = await startTestTranscoder({ TRANSCODER_SLOTS: "1" });
  const { worker: first } = await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  expect(transcoder.listeners()).toBe(2);
  const file = await readFile(wav.path);
  const [again, second] = [await startGatewayProxy(file), await startGatewayProxy(file)];
  toClose.push(again, second);
  for (const [{ job }, attempt] of [
    [again, 1],
    [second, 2],
  ] as const)
    expect((await transcoder.post({ ...job, job: first.job.job, attempt })).status).toBe(202);
  expect((await transcoder.post(first.job)).status).toBe(409);
  expect((await second.verdict).outcome).toBe("finished");
  expect([...first.verdicts, ...again.verdicts]).toEqual([]);
  expect(pids.some(isAlive)).toBe(false);
  // The sources of all three are closed.
  await expect.poll(transcoder.listeners).toBe(1);
});

test("SIGTERM leaves no ffmpeg and reports that the job may be retried", async () => {
  const transcoder = await startTestTranscoder();
  const { worker } = await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  await transcoder.stop();
  expect(transcoder.child.exitCode).toBe(0);
  await eventually("all gone", () => !pids.some(isAlive));
  expect((await worker.verdict).body).toMatchObject({ reason: "killed", retryable: true });
});

test("an unreachable Worker does not prevent the end on SIGTERM", async () => {
  const transcoder = await startTestTranscoder();
  const { worker } = await startTestJob(transcoder, { verdictStatus: () => 503 });
  await transcoder.stop();
  expect(transcoder.child.exitCode).toBe(0);
  expect(worker.verdicts).toEqual([]);
});

test("EXIT_WITH_PARENT ends the transcoder when its standard input closes", async () => {
  const transcoder = await startTestTranscoder();
  const { worker } = await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  transcoder.child.stdin?.end();
  await eventually("it ends", () => transcoder.child.exitCode === 0 && !pids.some(isAlive));
  expect((await worker.verdict).body).toMatchObject({ reason: "killed" });
});

test("the ffmpegs of a killed transcoder end by themselves", async () => {
  const transcoder = await startTestTranscoder();
  await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  transcoder.child.kill("SIGKILL");
  await eventually("all gone", () => !pids.some(isAlive));
});

test("a job whose ffmpeg was killed may be retried", async () => {
  const transcoder = await startTestTranscoder();
  const { worker, letGo } = await startTestJob(transcoder);
  const [, encoder] = transcoder.ffmpegs();
  if (encoder) process.kill(encoder, "SIGKILL");
  letGo();
  expect((await worker.verdict).body).toMatchObject({ reason: "killed", retryable: true });
});

test("a job without progress fails as stalled", async () => {
  const transcoder = await startTestTranscoder({ STALL_MS: "6000" });
  const { worker } = await startTestJob(transcoder);
  await sleep(1_100);
  expect(await health(transcoder)).toMatchObject({ idle_s: 0 });
  expect((await worker.verdict).body).toMatchObject({ reason: "stalled", retryable: true });
});

test("unknown fields in a newer release's job are ignored (F49)", async () => {
  const transcoder = await startTestTranscoder();
  const worker = await startGatewayProxy(await readFile(wav.path));
  toClose.push(worker);
  expect(
    (await transcoder.post({ ...worker.job, priority: "high", outputs: [{ codec: "opus" }] })).status,
  ).toBe(202);
  expect((await worker.verdict).outcome).toBe("finished");
});

test("malformed jobs are refused", async () => {
  const transcoder = await startTestTranscoder();
  const worker = await startGatewayProxy(new Uint8Array(10));
  toClose.push(worker);
  expect(await transcoder.post("{")).toMatchObject({ status: 400 });
  expect(await transcoder.post({})).toMatchObject({ status: 422, body: { error: "invalid" } });
  for (const wrong of [
    { source_url: "file:///etc/passwd" },
    { attempt: -1 },
    { ticket: "a\r\nb: c" },
    { source_bytes: "10" },
    { job: "../x" },
  ])
    expect(await transcoder.post({ ...worker.job, ...wrong })).toMatchObject({
      status: 422,
      body: { fields: Object.keys(wrong) },
    });
  expect((await fetch(`${transcoder.url}/nowhere`)).status).toBe(404);
});
