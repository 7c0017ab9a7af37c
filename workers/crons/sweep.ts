import { type Database, openDatabase } from "../../db/client.ts";
import { openStorage, type Storage } from "../../db/objects/open.ts";
import { forgetBudgets } from "../../db/queries/budgets.ts";
import { rollUpCounters } from "../../db/queries/counters.ts";
import { forgetStreamEvents } from "../../db/queries/event-stream.ts";
import { EXPIRED_KINDS, eraseSome, forgetExpired } from "../../db/queries/expired.ts";
import { dueGarbage, forgetGarbage } from "../../db/queries/garbage.ts";
import { rollUpPlays } from "../../db/queries/insights-roll-up.ts";
import { dropFailedOriginals, dropIdleOriginals } from "../../db/queries/originals.ts";
import { sumStored } from "../../db/queries/stored-objects.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { logLine } from "../../functions/lib/http/log.ts";
import { deletedObjectsDays } from "../../functions/lib/http/retention.ts";
import { countSpooled } from "../queues/plays.ts";
import { attempt, eachBatch } from "./attempts.ts";
import { mailDeprecations } from "./deprecations.ts";
import { recountCounters } from "./recount.ts";
import { expireUploads } from "./uploads.ts";

/** Prefixes per statement. */
const BATCH = 50;

/**
 * Milliseconds and prefixes per run. A run must end before the next begins, and each prefix uses some of a Worker's
 * 10,000 subrequests. An account of 10,000 tracks leaves 20,000 prefixes, due within a day.
 */
const GARBAGE_MS = 120_000;
const GARBAGE_PREFIXES = 1_000;

/** Rows per statement, which take well under a second, and statements per run, for erasing users who left. */
const ERASED_ROWS = 10_000;
const ERASING_STATEMENTS = 20;

/** Expired rows or log rows per statement, and statements per run. A popular service writes a million rows a day. */
const FORGOTTEN_ROWS = 1_000;
const FORGETTING_STATEMENTS = 50;

/** Marks of plays are narrow, and many more than other rows. */
const FORGOTTEN_PLAY_MARKS = 10_000;

/** Originals per statement. */
const DROPPED_ORIGINALS = 100;

/** Expired budget windows per run. */
const FORGOTTEN_BUDGETS = 50_000;

/**
 * Ends expired upload sessions, erases deleted accounts, deletes unreferenced objects and updates counters.
 * It also checks the counters once a night.
 */
export async function sweep(env: Env): Promise<void> {
  const db = openDatabase(env);
  const storage = openStorage(env);
  const uploads = await expireUploads(db, storage.multipart);
  const erased = await attempt("leavers", () => eraseLeavers(db));
  for (const kind of EXPIRED_KINDS)
    await attempt(kind, () =>
      forgetAll(
        (most) => forgetExpired(db, kind, most),
        kind === "play_marks" ? FORGOTTEN_PLAY_MARKS : FORGOTTEN_ROWS,
      ),
    );
  await attempt("failed_originals", () =>
    forgetAll((most) => dropFailedOriginals(db, most), DROPPED_ORIGINALS),
  );
  if (env.RETENTION === "downloadable")
    await attempt("idle_originals", () =>
      forgetAll((most) => dropIdleOriginals(db, most), DROPPED_ORIGINALS),
    );
  await attempt("budgets", () => forgetBudgets(db, FORGOTTEN_BUDGETS));
  await attempt("stream_events", () => forgetAll((most) => forgetStreamEvents(db, most)));
  await attempt("spooled_plays", () => countSpooled(db, storage.objects));
  await attempt("deprecations", () => mailDeprecations(db, env));
  const counted = await attempt("counters", () => rollUpCounters(db));
  await attempt("insights", () => rollUpPlays(db));
  await attempt("recount", () => recountCounters(db));
  await attempt("stored_totals", () => sumStored(db));
  // Takes minutes after a large account was deleted, so it comes last.
  const prefixes = await deleteGarbage(db, storage, deletedObjectsDays(env));
  if (uploads || prefixes || erased?.users || erased?.tracks)
    logLine("info", "swept", { uploads, prefixes, erased, counted });
}

/**
 * Deletes unreferenced objects up to the limits of a run. Each batch lists them again, because rows may refer to a
 * prefix again.
 */
const deleteGarbage = (db: Database, { objects, multipart }: Storage, days: number): Promise<number> =>
  eachBatch("garbage", {
    due: () => dueGarbage(db, BATCH, days),
    async sweepOne({ bucket, prefix }) {
      // Parts of an interrupted upload are not objects yet.
      if (bucket === "uploads") await multipart.abortAll(prefix);
      // A prefix larger than one listing stays listed and continues with the next batch.
      if (await objects.deletePrefix(bucket, prefix)) await forgetGarbage(db, prefix);
    },
    most: GARBAGE_PREFIXES,
    withinMs: GARBAGE_MS,
  });

/** Erases in many short statements, because an account may own many rows. */
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

/** Repeats a statement that deletes some rows until it finds no more. */
async function forgetAll(
  forgetSome: (most: number) => Promise<number>,
  most: number = FORGOTTEN_ROWS,
): Promise<void> {
  for (let statement = 0; statement < FORGETTING_STATEMENTS; statement++)
    if ((await forgetSome(most)) < most) return;
}
