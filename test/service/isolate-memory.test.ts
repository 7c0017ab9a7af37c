import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, someone } from "../support/people.ts";
import { aSecondWorker } from "../support/second-worker.ts";
import { describedTracks } from "./descriptions.ts";

const MIB = 2 ** 20;
/** Characters. More than may be sent, as the cleaning of HTML may make of it. */
const LONG = 35_000;
const TRACKS = 1_000;

let owner: Person;
let reader: Person;
/** In a process of its own, where no other test's requests are. */
let worker: Awaited<ReturnType<typeof aSecondWorker>>;

beforeAll(async () => {
  [owner, reader, worker] = [await someone(), await someone(), await aSecondWorker()];
});

afterAll(() => worker.stop());

async function ask(path: string): Promise<void> {
  const reply = await fetch(worker.at(path), { headers: { Authorization: `OAuth ${reader.token}` } });
  await reply.arrayBuffer();
  expect(reply.status).toBe(200);
}

/** MiB that the isolate's process takes: the least of two seconds, in which it may collect its garbage. */
async function resident(): Promise<number> {
  const seen: number[] = [];
  for (let times = 0; times < 20; times++) {
    await new Promise((wake) => setTimeout(wake, 100));
    const status = readFileSync(`/proc/${worker.pid()}/status`, "utf8");
    seen.push((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / MIB);
  }
  return Math.min(...seen);
}

async function readAll(ids: number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 10)
    await Promise.all(ids.slice(at, at + 10).map((id) => ask(`/tracks/${id}`)));
}

test("an isolate that reads a thousand tracks with long descriptions takes hardly more for it", {
  timeout: 400_000,
}, async () => {
  // The heap grows to what replies so large need for a moment, whatever is kept of them.
  await readAll(await describedTracks(owner, 300, LONG));
  const long = await describedTracks(owner, TRACKS, LONG);
  const before = await resident();
  const seen: number[] = [];
  for (let at = 0; at < TRACKS; at += 250) {
    await readAll(long.slice(at, at + 250));
    seen.push(Math.round(await resident()));
  }
  expect((seen.at(-1) ?? 0) - before).toBeLessThan(50);
});
