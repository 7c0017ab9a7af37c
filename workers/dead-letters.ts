import type { MessageBatch } from "@cloudflare/workers-types";
import { openDatabase } from "../db/client.ts";
import { countDeadLetter } from "../db/queries/jobs.ts";
import type { Env } from "../functions/http/env.ts";
import { logLine } from "../functions/http/log.ts";
import { JobPointer } from "./transcode.ts";

/** Logs abandoned messages. The job's row decides: the cron sends it again, or it has failed. */
export async function buryDeadLetters(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  for (const message of batch.messages) {
    const pointer = JobPointer.safeParse(message.body);
    logLine("error", "dead_letter", { message: message.id, ...(pointer.success && pointer.data) });
    if (pointer.success) await countDeadLetter(db, pointer.data);
    message.ack();
  }
}
