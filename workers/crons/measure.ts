import type { Database } from "../../db/client.ts";
import type { ObjectStore } from "../../db/objects/port.ts";
import { saveMeasured, unmeasuredObjects } from "../../db/queries/stored-objects.ts";
import { eachBatch } from "./attempts.ts";

/** Objects per statement. */
const BATCH = 50;

/** Milliseconds and objects per run. A day of audio is 29 pages of a listing, each one of a Worker's 10,000 subrequests. */
const WITHIN_MS = 20_000;
const AT_MOST = 300;

/** Asks storage for the sizes of what came since the last run. After an upgrade that is everything, some of it each minute. */
export const measureStored = (db: Database, objects: ObjectStore): Promise<number> =>
  eachBatch("stored_objects", {
    due: () => unmeasuredObjects(db, BATCH),
    sweepOne: async ({ bucket, prefix }) =>
      void (await saveMeasured(db, prefix, await objects.measure(bucket, prefix))),
    most: AT_MOST,
    withinMs: WITHIN_MS,
  });
