import type { Database } from "../../db/client.ts";
import { dueReleases, publishRelease } from "../../db/queries/scheduled.ts";
import { logLine } from "../../functions/lib/http/log.ts";
import { attempt } from "./attempts.ts";

/** Releases per statement. */
const BATCH = 50;

/** Milliseconds after which no further release begins, so that the run ends before the next. */
const WITHIN_MS = 40_000;

/**
 * Publishes what is due, the longest overdue first, each release in a transaction of its own. One that fails delays no other, and
 * is due again in the next run.
 */
export async function publishDue(db: Database): Promise<void> {
  const endMs = Date.now() + WITHIN_MS;
  let releases = 0;
  for (
    let batch = await dueReleases(db, BATCH);
    batch.length;
    batch = await dueReleases(db, BATCH, batch.at(-1))
  )
    for (const release of batch) {
      if (Date.now() > endMs) return;
      await attempt("publication", async () => {
        await publishRelease(db, release);
        releases++;
      });
    }
  if (releases) logLine("info", "published", { releases });
}
