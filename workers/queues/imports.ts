import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import { dueImports } from "../../db/queries/import-turns.ts";
import { runImport } from "../../functions/api/imports/turn.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { MAX_SENT_AT_ONCE, queueImports } from "../../functions/lib/http/queue-messages.ts";
import { consumePointers, sendEarlyRetry } from "./pointers.ts";

const ImportPointer = z.object({ import: z.int().positive() });

const EVENTS = { malformed: "import_message_malformed", failed: "import_not_run" };

/** Sends podcasts that move in to the queue. One whose files are being fetched gets a message that finds nothing to do. */
export async function dispatchImports(db: Database, env: Env): Promise<void> {
  const due = await dueImports(db, MAX_SENT_AT_ONCE);
  if (due.length) await queueImports(env, due);
}

/** Fetches episodes for some minutes. Rows decide what is due, so a lost or repeated message changes nothing. */
export async function moveIn(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  await consumePointers(batch, ImportPointer, EVENTS, async (pointer) =>
    sendEarlyRetry(env.IMPORTS, pointer, await runImport(db, env, pointer.import)),
  );
}
