import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describedTracks } from "../api/tracks/descriptions.ts";
import { createUser, type Person } from "../support/people.ts";
import { startSecondWorker } from "../support/second-worker.ts";

const MIB = 2 ** 20;
/** Characters. More than may be sent, because cleaned HTML may grow. */
const LONG = 35_000;
const TRACKS = 1_000;

let owner: Person;
let reader: Person;
/** A separate process without other tests' requests. */
let worker: Awaited<ReturnType<typeof startSecondWorker>>;

beforeAll(async () => {
  [owner, reader, worker] = [await createUser(), await createUser(), await startSecondWorker()];
});

afterAll(() => worker.stop());

async function ask(path: string): Promise<void> {
  const reply = await fetch(worker.at(path), { headers: { Authorization: `OAuth ${reader.token}` } });
  await reply.arrayBuffer();
  expect(reply.status).toBe(200);
}

/** Resident MiB of the isolate's process: the minimum over two seconds, after garbage collection. */
async function resident(): Promise<number> {
  const seen: number[] = [];
  for (let times = 0; times < 40; times++) {
    await new Promise((wake) => setTimeout(wake, 50));
    const status = readFileSync(`/proc/${worker.pid()}/status`, "utf8");
    seen.push((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / MIB);
  }
  return Math.min(...seen);
}

async function readAll(ids: number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 10)
    await Promise.all(ids.slice(at, at + 10).map((id) => ask(`/tracks/${id}`)));
}

test("an isolate that reads a thousand tracks with long descriptions hardly grows", {
  timeout: 400_000,
}, async () => {
  // The heap grows for such large replies, whatever is cached of them.
  await readAll(await describedTracks(owner, 300, LONG));
  const long = await describedTracks(owner, TRACKS, LONG);
  const before = await resident();
  await readAll(long);
  expect((await resident()) - before).toBeLessThan(50);
});
