import { and, eq, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { recounts } from "../schema/counters.ts";

/** Deltas per statement. Small batches release rows and the core soon: a viral track touches many users' rows. */
const BATCH = 1_000;

/** Statements per run. The rest waits for the next run; reads include it meanwhile. */
const MAX_BATCHES = 300;

/** Runs a statement that adds up at most `batch` rows until few are left. Returns the number of rows. */
export async function rollUp(batch: number, addUp: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const startedAt = performance.now();
    const taken = await addUp();
    total += taken;
    if (taken < batch) break;
    // Pausing for half of the time leaves the core to requests. Nothing waits for this run.
    await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt));
  }
  return total;
}

/** Adds pending deltas to their counters and returns their number. */
export const rollUpCounters = (db: Database): Promise<number> =>
  rollUp(BATCH, () => db.call("roll_up_counters", () => z.number(), { limit: BATCH }));

export const COUNTED_KINDS = ["track", "playlist", "user"] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** Subjects per statement. */
const RECOUNT_BATCH = 500;

const Recount = () =>
  z.strictObject({
    /** Counters that this batch repaired. */
    wrong: z.array(
      z.strictObject({
        id: z.number(),
        counter: z.string(),
        delta: z.number(),
      }),
    ),
    /** Totals of the whole pass so far. */
    checked: z.number(),
    repaired: z.number(),
    /** Whether this was the pass's last batch. */
    ended: z.boolean(),
  });

/** Runs the next batch of the nightly recount; null if none is due. A repetition repairs nothing twice. */
export const recountSome = (db: Database, kind: CountedKind) =>
  db.callAtLength("recount_some", () => Recount().nullable(), { kind, limit: RECOUNT_BATCH });

/** The totals of the last pass. `undefined` while one is due or under way, by whoever runs it. */
export const findEndedRecount = async (db: Database, kind: CountedKind) => {
  const { checked, repaired } = recounts;
  const hasEnded = and(isNull(recounts.afterId), gt(recounts.begunAt, sql`'-infinity'`));
  const [pass] = await db.read((on) =>
    on
      .select({ checked, repaired })
      .from(recounts)
      .where(and(eq(recounts.kind, kind), hasEnded)),
  );
  return pass;
};
