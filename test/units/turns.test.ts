import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "../../workers/local/turns.ts";

const NEVER_MS = 60_000;

/** Someone whose work takes until `end` is called. */
function someone(turns: Turns, began: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = turns.during(async () => {
    began.push(name);
    await ended;
  });
  return { done, end };
}

test("so many have a turn, and hand it on in the order in which the others came", async () => {
  const turns = new Turns({ places: 2, stallMs: NEVER_MS });
  const began: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => someone(turns, began, name));
  await sleep(5);
  expect(began).toEqual(["a", "b"]);
  b?.end();
  await b?.done;
  await sleep(0);
  expect(began).toEqual(["a", "b", "c"]);
  for (const one of [c, a, d]) one?.end();
  await Promise.all([a, c, d].map((one) => one?.done));
  expect(began).toEqual(["a", "b", "c", "d"]);
  // All are free again.
  const again = ["e", "f"].map((name) => someone(turns, began, name));
  expect(began.slice(4)).toEqual(["e", "f"]);
  for (const one of again) one.end();
  await Promise.all(again.map((one) => one.done));
});

test("behind those who take long one more is let in, now and then, until nobody waits", async () => {
  const turns = new Turns({ places: 1, stallMs: 20 });
  const began: string[] = [];
  const long = someone(turns, began, "long");
  const [quick, next] = ["quick", "next"].map((name) => someone(turns, began, name));
  expect(began).toEqual(["long"]);
  quick?.end();
  await quick?.done;
  // The place that was made is handed on, too.
  await sleep(0);
  expect(began).toEqual(["long", "quick", "next"]);
  next?.end();
  long.end();
  await Promise.all([long.done, next?.done]);
  const [one, other] = ["one", "other"].map((name) => someone(turns, began, name));
  expect(began.slice(3)).toEqual(["one"]);
  one?.end();
  other?.end();
  await Promise.all([one?.done, other?.done]);
});

test("who fails hands on their turn", async () => {
  const turns = new Turns({ places: 1, stallMs: NEVER_MS });
  const failed = turns.during(() => Promise.reject(new Error("broken")));
  const after = turns.during(async () => "after");
  await expect(failed).rejects.toThrow("broken");
  expect(await after).toBe("after");
});
