import { afterEach, expect, test, vi } from "vitest";
import { eachBatch } from "../../workers/crons/attempts.ts";

afterEach(() => vi.restoreAllMocks());

/** Sweeps items that are due in batches of five, in order, and returns the items that were tried. */
async function sweepDue(items: string[], most: number, withinMs = 60_000) {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const left = new Set(items);
  const tried: string[] = [];
  const swept = await eachBatch("garbage", {
    due: async () => [...left].slice(0, 5),
    async sweepOne(item) {
      tried.push(item);
      if (item.startsWith("broken")) throw new Error("storage refused");
      left.delete(item);
    },
    most,
    withinMs,
  });
  return { tried: tried.length, swept, left: left.size };
}

const whole = Array.from({ length: 100 }, (_, at) => `whole ${at}`);

test("batches follow each other until none is due, it is late, or a run has tried what it may", async () => {
  expect(await sweepDue(whole, 1_000)).toEqual({ tried: 100, swept: 100, left: 0 });
  expect(await sweepDue(whole, 20)).toEqual({ tried: 20, swept: 20, left: 80 });
  expect(await sweepDue(whole, 1_000, -1)).toEqual({ tried: 5, swept: 5, left: 95 });
});

test("items that fail before others count as tried, and a batch of them alone ends the run", async () => {
  const broken = (count: number) => Array.from({ length: count }, (_, at) => `broken ${at}`);
  expect(await sweepDue([...broken(4), ...whole], 20)).toEqual({ tried: 20, swept: 4, left: 100 });
  expect(await sweepDue([...broken(5), ...whole], 20)).toEqual({ tried: 5, swept: 0, left: 105 });
});
