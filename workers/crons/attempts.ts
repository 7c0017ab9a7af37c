import { describeError, logLine } from "../../functions/lib/http/log.ts";

/** Logs a failure, so that a cron's other duties are still done. */
export async function attempt<Result>(
  what: string,
  duty: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await duty();
  } catch (error) {
    logLine("warn", "cron_failed", { what, ...describeError(error) });
    return undefined;
  }
}

interface Due<Item> {
  /** Lists the due items. */
  due: () => Promise<Item[]>;
  sweepOne: (item: Item) => Promise<void>;
}

interface Batches<Item> extends Due<Item> {
  /**
   * Number of items after which no further batch begins. Failed items count, because they are listed again and cost
   * as much.
   */
  most: number;
  /** Milliseconds after which no further batch begins. */
  withinMs: number;
}

/** Handles the due items independently of each other. */
async function each<Item>(what: string, { due, sweepOne }: Due<Item>) {
  const items = (await attempt(what, due)) ?? [];
  let swept = 0;
  for (const item of items)
    await attempt(what, async () => {
      await sweepOne(item);
      swept++;
    });
  return { tried: items.length, swept };
}

/** Handles batch after batch until one has no success. Returns the number of successes. */
export async function eachBatch<Item>(
  what: string,
  { most, withinMs, ...due }: Batches<Item>,
): Promise<number> {
  const endMs = Date.now() + withinMs;
  for (let [tried, swept] = [0, 0]; ; ) {
    const batch = await each(what, due);
    tried += batch.tried;
    swept += batch.swept;
    if (batch.swept === 0 || tried >= most || Date.now() > endMs) return swept;
  }
}
