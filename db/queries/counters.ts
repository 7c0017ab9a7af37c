import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";

/** Deltas a statement, so that none holds its rows for long. */
const BATCH = 5_000;

/** Statements a run; what is left waits for the next, and reads add it meanwhile. */
const MAX_BATCHES = 60;

/** Adds what requests have appended to the counters that they are owed to. The number of deltas. */
export async function rollUpCounters(db: Database): Promise<number> {
  let counted = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const [row] = await db.execute<{ taken: number }>(sql`select roll_up_counters_v1(${BATCH}) as taken`);
    counted += row?.taken ?? 0;
    if ((row?.taken ?? 0) < BATCH) break;
  }
  return counted;
}
