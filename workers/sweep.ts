import { openDatabase } from "../db/client.ts";
import { openStorage } from "../db/objects/open.ts";
import { forgetConnectionAttempts } from "../db/queries/connections.ts";
import { rollUpCounters } from "../db/queries/counters.ts";
import { dueGarbage, forgetGarbage } from "../db/queries/garbage.ts";
import { forgetIdempotencyKeys } from "../db/queries/idempotency.ts";
import { forgetPlayMarks } from "../db/queries/plays.ts";
import { eraseDisabledUsers, forgetExpired } from "../db/queries/settings.ts";
import { extendTrackSearch } from "../db/queries/track-lists.ts";
import { markUploadExpired, overdueUploads } from "../db/queries/uploads.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";

/** Rows a run: a backlog is drained over several. */
const BATCH = 50;

/** Tracks a run of users who left. */
const ERASED_TRACKS = 200;

/** Of one range of the search. Larger ones make common words dearer, more of them rare words. */
const SEARCH_RANGE_ROWS = 32_768;

/**
 * Ends upload sessions past their time, with their parts, erases users who deleted their accounts, deletes objects
 * that nobody references, adds up counters, and gives the search room to grow.
 */
export async function sweep(env: Env): Promise<void> {
  const db = openDatabase(env);
  const { objects, multipart } = openStorage(env);

  // Storage first: what it failed to let go stays listed, and is tried again.
  const uploads = await each(
    await overdueUploads(db, BATCH),
    async ({ id, object_key, storage_upload_id }) => {
      if (storage_upload_id) await multipart.abort(object_key, storage_upload_id);
      await markUploadExpired(db, id);
    },
  );
  const erased = await eraseDisabledUsers(db, ERASED_TRACKS);
  await forgetExpired(db);
  await forgetIdempotencyKeys(db);
  await forgetPlayMarks(db);
  await forgetConnectionAttempts(db);
  const prefixes = await each(await dueGarbage(db, BATCH), async ({ bucket, prefix }) => {
    // Parts of an upload that broke off are no objects yet.
    if (bucket === "uploads") await multipart.abortAll(prefix);
    // One of more than a listing stays listed and goes on next time.
    if (await objects.deletePrefix(bucket, prefix)) await forgetGarbage(db, prefix);
  });
  const counted = await rollUpCounters(db);
  // It gives up where readers would have to wait for it, and comes again.
  await each([SEARCH_RANGE_ROWS], async (rows) => void (await extendTrackSearch(db, rows)));
  if (uploads || prefixes || erased.users || erased.tracks)
    logLine("info", "swept", { uploads, prefixes, erased, counted });
}

/** One that fails holds up none of the others. The number that went well. */
async function each<Item>(items: Item[], sweepOne: (item: Item) => Promise<void>): Promise<number> {
  let swept = 0;
  for (const item of items) {
    try {
      await sweepOne(item);
      swept++;
    } catch (error) {
      logLine("warn", "sweep_failed", describeError(error));
    }
  }
  return swept;
}
