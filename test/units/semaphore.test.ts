import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Semaphore } from "../../workers/local/neon-proxy/semaphore.ts";

const NEVER_MS = 60_000;

/** Starts work that lasts until `end` is called. */
function startWork(semaphore: Semaphore, began: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const finished = semaphore.run(async () => {
    began.push(name);
    await ended;
  });
  return { finished, end };
}

test("as many tasks run as there are places; the others follow in order of arrival", async () => {
  const semaphore = new Semaphore({ places: 2, stallMs: NEVER_MS });
  const began: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => startWork(semaphore, began, name));
  await sleep(5);
  expect(began).toEqual(["a", "b"]);
  b?.end();
  await b?.finished;
  await sleep(0);
  expect(began).toEqual(["a", "b", "c"]);
  for (const one of [c, a, d]) one?.end();
  await Promise.all([a, c, d].map((one) => one?.finished));
  expect(began).toEqual(["a", "b", "c", "d"]);
  // Every place is free again.
  const again = ["e", "f"].map((name) => startWork(semaphore, began, name));
  expect(began.slice(4)).toEqual(["e", "f"]);
  for (const one of again) one.end();
  await Promise.all(again.map((one) => one.finished));
});

test("a stall lets one more task in, again and again, until none waits", async () => {
  const semaphore = new Semaphore({ places: 1, stallMs: 20 });
  const began: string[] = [];
  const long = startWork(semaphore, began, "long");
  const [quick, next] = ["quick", "next"].map((name) => startWork(semaphore, began, name));
  expect(began).toEqual(["long"]);
  quick?.end();
  await quick?.finished;
  // The additional place is reused, too.
  await sleep(0);
  expect(began).toEqual(["long", "quick", "next"]);
  next?.end();
  long.end();
  await Promise.all([long.finished, next?.finished]);
  const [one, other] = ["one", "other"].map((name) => startWork(semaphore, began, name));
  expect(began.slice(3)).toEqual(["one"]);
  one?.end();
  other?.end();
  await Promise.all([one?.finished, other?.finished]);
});

test("a task that fails frees its place", async () => {
  const semaphore = new Semaphore({ places: 1, stallMs: NEVER_MS });
  const failed = semaphore.run(() => Promise.reject(new Error("broken")));
  const after = semaphore.run(async () => "after");
  await expect(failed).rejects.toThrow("broken");
  expect(await after).toBe("after");
});
