import type { Database } from "../../db/client.ts";
import { COUNTED_KINDS, recountSome } from "../../db/queries/counters.ts";
import { logLine } from "../../functions/lib/http/log.ts";

/** Milliseconds per run and kind. A night has many runs, and requests come first. */
const RUN_MS = 2_000;

/** Subjects listed in one log line. */
const NAMED = 50;

/** Repairs counters that differ from their rows and reports each, because drift indicates a bug. */
export async function recountCounters(db: Database): Promise<void> {
  for (const kind of COUNTED_KINDS) {
    const startedAt = performance.now();
    while (performance.now() - startedAt < RUN_MS) {
      const batch = await recountSome(db, kind);
      if (!batch) break;
      const { wrong, checked, repaired, ended } = batch;
      if (wrong.length)
        logLine("warn", "counters_repaired", { kind, number: wrong.length, wrong: wrong.slice(0, NAMED) });
      if (ended) logLine("info", "counters_recounted", { kind, checked, repaired });
      if (ended) break;
    }
  }
}
