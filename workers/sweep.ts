import { type Database, openDatabase } from "../db/client.ts";
import { openStorage } from "../db/objects/open.ts";
import { forgetBudgets } from "../db/queries/budgets.ts";
import { forgetConnectionAttempts } from "../db/queries/connections.ts";
import { rollUpCounters } from "../db/queries/counters.ts";
import { dueGarbage, forgetGarbage } from "../db/queries/garbage.ts";
import { forgetIdempotencyKeys } from "../db/queries/idempotency.ts";
import { forgetPlayMarks } from "../db/queries/plays.ts";
import { eraseSome, forgetExpired } from "../db/queries/settings.ts";
import { extendTrackSearch } from "../db/queries/track-lists.ts";
import { markUploadExpired, overdueUploads } from "../db/queries/uploads.ts";
import { forgetDeliveries } from "../db/queries/webhook-deliveries.ts";
import type { Env } from "../functions/http/env.ts";
import { describeError, logLine } from "../functions/http/log.ts";
import { recountCounters } from "./recount.ts";

/** Rows a run: a backlog is drained over several. */
const BATCH = 50;

/** Rows a statement of users who left, which takes it well under a second; statements a run. */
const ERASED_ROWS = 10_000;
const ERASING_STATEMENTS = 20;

/** Rows of webhooks' logs a run. */
const FORGOTTEN_DELIVERIES = 1_000;

/** Windows of budgets that ended, a run. */
const FORGOTTEN_BUDGETS = 50_000;

/** Of one range of the search. Larger ones make common words dearer, more of them rare words. */
const SEARCH_RANGE_ROWS = 32_768;

/**
 * Ends upload sessions past their time, with their parts, erases users who deleted their accounts, deletes objects
 * that nobody references, adds up counters, checks them once a night, and gives the search room to grow.
 */
export async function sweep(env: Env): Promise<void> {
  const db = openDatabase(env);
  const { objects, multipart } = openStorage(env);

  // Storage first: what it failed to let go stays listed, and is tried again.
  const uploads = await each(
    "uploads",
    overdueUploads(db, BATCH),
    async ({ id, object_key, storage_upload_id }) => {
      if (storage_upload_id) await multipart.abort(object_key, storage_upload_id);
      await markUploadExpired(db, id);
    },
  );
  const erased = await attempt("leavers", () => eraseLeavers(db));
  await attempt("expired", () => forgetExpired(db));
  await attempt("idempotency_keys", () => forgetIdempotencyKeys(db));
  await attempt("budgets", () => forgetBudgets(db, FORGOTTEN_BUDGETS));
  await attempt("play_marks", () => forgetPlayMarks(db));
  await attempt("webhook_deliveries", () => forgetDeliveries(db, FORGOTTEN_DELIVERIES));
  await attempt("connection_attempts", () => forgetConnectionAttempts(db));
  const prefixes = await each("garbage", dueGarbage(db, BATCH), async ({ bucket, prefix }) => {
    // Parts of an upload that broke off are no objects yet.
    if (bucket === "uploads") await multipart.abortAll(prefix);
    // One of more than a listing stays listed and goes on next time.
    if (await objects.deletePrefix(bucket, prefix)) await forgetGarbage(db, prefix);
  });
  const counted = await attempt("counters", () => rollUpCounters(db));
  await attempt("recount", () => recountCounters(db));
  // It gives up where readers would have to wait for it, and comes again.
  await attempt("search", () => extendTrackSearch(db, SEARCH_RANGE_ROWS));
  if (uploads || prefixes || erased?.users || erased?.tracks)
    logLine("info", "swept", { uploads, prefixes, erased, counted });
}

/** What somebody leaves behind may take many statements, of which none takes long. */
async function eraseLeavers(db: Database) {
  const sum = { users: 0, tracks: 0 };
  for (let statement = 0; statement < ERASING_STATEMENTS; statement++) {
    const { users, tracks, more } = await eraseSome(db, ERASED_ROWS);
    sum.users += users;
    sum.tracks += tracks;
    if (!more) break;
  }
  return sum;
}

/** One that fails holds up none of the others. */
async function attempt<Result>(what: string, sweepOne: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await sweepOne();
  } catch (error) {
    logLine("warn", "sweep_failed", { what, ...describeError(error) });
    return undefined;
  }
}

/** The number that went well. */
async function each<Item>(what: string, due: Promise<Item[]>, sweepOne: (item: Item) => Promise<void>) {
  let swept = 0;
  for (const item of (await attempt(what, () => due)) ?? [])
    await attempt(what, async () => {
      await sweepOne(item);
      swept++;
    });
  return swept;
}
