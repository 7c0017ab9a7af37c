import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";

/** Deltas a statement, so that none holds its rows for long, nor a core: those of a viral track are as many users' rows. */
const BATCH = 1_000;

/** Statements a run; what is left waits for the next, and reads add it meanwhile. */
const MAX_BATCHES = 300;

/** Adds what requests have appended to the counters that they are owed to. The number of deltas. */
export async function rollUpCounters(db: Database): Promise<number> {
  let counted = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const startedAt = performance.now();
    const [row] = await db.execute<{ taken: number }>(sql`select roll_up_counters(${BATCH}) as taken`);
    counted += row?.taken ?? 0;
    if ((row?.taken ?? 0) < BATCH) break;
    // Nobody waits for it, and whoever reads meanwhile would wait behind it: half of the time is theirs.
    await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt));
  }
  return counted;
}

export type CountedKind = "track" | "playlist" | "user";

/** Subjects a statement. */
const RECOUNTED = 500;

export const Recount = () =>
  z.strictObject({
    /** What this batch repaired. */
    wrong: z.array(
      z.strictObject({
        id: z.number(),
        counter: z.string(),
        delta: z.number(),
      }),
    ),
    /** Of the whole pass so far. */
    checked: z.number(),
    repaired: z.number(),
    /** Whether it was the pass's last batch. */
    ended: z.boolean(),
  });
export type Recount = Told<typeof Recount>;

/** The next batch of this night's recount; null where nothing is due. Run twice, it repairs once. */
export const recountSome = (db: Database, kind: CountedKind) =>
  db.callAtLength("recount_some", () => Recount().nullable(), { kind, limit: RECOUNTED });
