import { describeError, logLine } from "../../functions/http/log.ts";

/** Logs a failure, so that the other sweeps still run. */
export async function attempt<Result>(
  what: string,
  sweepOne: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await sweepOne();
  } catch (error) {
    logLine("warn", "sweep_failed", { what, ...describeError(error) });
    return undefined;
  }
}

interface Batches<Item> {
  /** Lists what is due now. */
  due: () => Promise<Item[]>;
  sweepOne: (item: Item) => Promise<void>;
  /** Items after which no other batch begins. Those that fail count, too: they are listed again and cost as much. */
  most: number;
  /** Milliseconds likewise. */
  withinMs: number;
}

/** Sweeps a batch after another while one has a success. Returns the number of successes. */
export async function eachBatch<Item>(
  what: string,
  { due, sweepOne, most, withinMs }: Batches<Item>,
): Promise<number> {
  const endMs = Date.now() + withinMs;
  for (let [tried, swept] = [0, 0]; ; ) {
    const items = (await attempt(what, due)) ?? [];
    const before = swept;
    for (const item of items)
      await attempt(what, async () => {
        await sweepOne(item);
        swept++;
      });
    tried += items.length;
    if (swept === before || tried >= most || Date.now() > endMs) return swept;
  }
}
