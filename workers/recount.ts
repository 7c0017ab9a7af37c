import type { Database } from "../db/client.ts";
import { type CountedKind, recountSome } from "../db/queries/counters.ts";
import { logLine } from "../functions/http/log.ts";

const KINDS: CountedKind[] = ["track", "playlist", "user"];

/** Milliseconds a run and kind. A night has many runs, and requests come first. */
const RUN_MS = 2_000;

/** Subjects that one line of the log names. */
const NAMED = 50;

/** Repairs counters that drifted from their rows, and reports each: a counter that drifts is a fault somewhere else. */
export async function recountCounters(db: Database): Promise<void> {
  for (const kind of KINDS) {
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
