import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startPlays } from "../../workers/local/plays/service.ts";
import { innerUrl } from "../../workers/local/worker/loopback.ts";
import type { QueuedMessage, WorkerHandle } from "../../workers/local/worker/worker.ts";

const SECRET = "a secret";
const directory = join(mkdtempSync(join(tmpdir(), "soundpost-plays-")), "plays");
const running: Awaited<ReturnType<typeof startPlays>>[] = [];

async function start() {
  const service = await startPlays(directory, { secret: SECRET, log: () => {}, retryMs: 20 });
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const one of running.splice(0)) {
    await one.pause();
    await one.stop();
  }
  rmSync(directory, { recursive: true, force: true });
});

const play = (port: number, track: number) =>
  fetch(innerUrl(port, SECRET), { method: "POST", body: JSON.stringify({ track }) });

const DONE = { explicitAcks: [], retryMessages: [], retryBatch: { retry: false } };

/** Takes batches; refuses as many as it is told to. */
function counter(refusals = 0) {
  const batches: number[][] = [];
  let left = refusals;
  const queue: WorkerHandle["queue"] = async (name, messages: QueuedMessage[]) => {
    expect(name).toBe("plays");
    if (left-- > 0) return { ...DONE, outcome: "ok", ackAll: false };
    batches.push(messages.map(({ body }) => (body as { track: number }).track));
    return { ...DONE, outcome: "ok", ackAll: true };
  };
  return { batches, queue };
}

test("plays that were taken are counted by the next run, if the one that took them ends before", async () => {
  const first = await start();
  const replies = await Promise.all([1, 2, 3].map((track) => play(first.port, track)));
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
  // Nothing of the first run's ends in order.
  const second = await start();
  const { batches, queue } = counter();
  second.deliverTo(queue);
  await expect.poll(() => batches.flat().sort()).toEqual([1, 2, 3]);
  await expect.poll(() => readdirSync(directory)).toEqual([]);
});

test("a file stays until all of it is counted, and half a line delays nothing", async () => {
  mkdirSync(directory, { recursive: true });
  const tracks = Array.from({ length: 150 }, (_, n) => n);
  appendFileSync(
    join(directory, "000000000007.ndjson"),
    tracks.map((track) => `{"track":${track}}\n`).join(""),
  );
  appendFileSync(join(directory, "open.ndjson"), '{"track":200}\n{"tra');
  const service = await start();
  const { batches, queue } = counter(2);
  service.deliverTo(queue);
  await expect.poll(() => batches.map((batch) => batch.length)).toEqual([100, 50, 1]);
  await play(service.port, 300);
  await expect.poll(() => batches.at(-1)).toEqual([300]);
  await expect.poll(() => readdirSync(directory)).toEqual([]);
});

test("a line that a full disk cut off takes no later play with it", async () => {
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, "open.ndjson"), '{"track":1}\n{"tra');
  const service = await start();
  await play(service.port, 2);
  const { batches, queue } = counter();
  service.deliverTo(queue);
  await expect.poll(() => batches.flat()).toEqual([1, 2]);
});

test("files of others are left alone", async () => {
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, "notes.ndjson"), '{"track":1}\n');
  const service = await start();
  const { batches, queue } = counter();
  service.deliverTo(queue);
  await play(service.port, 2);
  await expect.poll(() => batches.flat()).toEqual([2]);
  await expect.poll(() => readdirSync(directory)).toEqual(["notes.ndjson"]);
});

test("what is no play is refused and counts nothing", async () => {
  const { port } = await start();
  const nonsense = await fetch(innerUrl(port, SECRET), { method: "POST", body: "{" });
  expect(nonsense.status).toBe(500);
  expect(readdirSync(directory)).toEqual([]);
});
