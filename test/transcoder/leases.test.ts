import { readFile } from "node:fs/promises";
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
  return (await reply.json()) as { ok: boolean; jobs: number };
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
  expect(await transcoder.post(worker.job)).toEqual({ status: 202, body: { accepted: true, slots: 1 } });
  expect(await transcoder.post({ ...worker.job, job: "another" })).toEqual({
    status: 503,
    body: { error: "busy", slots: 1 },
  });
  expect(await health(transcoder)).toMatchObject({ ok: true, jobs: 1 });
  letGo();
  expect((await worker.verdict).outcome).toBe("finished");
  expect(worker.verdicts).toHaveLength(1);
});

test("a later attempt replaces an earlier one, and an earlier one is refused", async () => {
  const transcoder = await startTestTranscoder({ TRANSCODER_SLOTS: "1" });
  const { worker: first } = await startTestJob(transcoder);
  const pids = transcoder.ffmpegs();
  const second = await startGatewayProxy(await readFile(wav.path));
  toClose.push(second);
  expect((await transcoder.post({ ...second.job, job: first.job.job, attempt: 2 })).status).toBe(202);
  expect((await transcoder.post(first.job)).status).toBe(409);
  expect((await second.verdict).outcome).toBe("finished");
  expect(first.verdicts).toEqual([]);
  expect(pids.some(isAlive)).toBe(false);
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

test("an unreachable Worker does not delay the end on SIGTERM", async () => {
  const transcoder = await startTestTranscoder();
  const { worker } = await startTestJob(transcoder, { verdictStatus: () => 503 });
  const startedAt = performance.now();
  await transcoder.stop();
  expect(performance.now() - startedAt).toBeLessThan(20_000);
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
  const transcoder = await startTestTranscoder({ STALL_MS: "3000" });
  const { worker } = await startTestJob(transcoder);
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
