import type { MessageBatch, Queue } from "@cloudflare/workers-types";
import { type Database, openDatabase } from "../../db/client.ts";
import { countDeadLetter } from "../../db/queries/jobs.ts";
import {
  type DeadLetter,
  dueDeadLetters,
  forgetDeadLetters,
  keepDeadLetter,
} from "../../db/queries/operations.ts";
import type { Env } from "../../functions/http/env.ts";
import { logLine } from "../../functions/http/log.ts";
import { JobPointer } from "./jobs.ts";
import { MailPointer } from "./mails.ts";
import { PlayMessage } from "./plays.ts";
import { DeliveryPointer } from "./webhooks.ts";

/** Letters per run. The rest waits for the next. */
const BATCH = 100;

/** Logs abandoned messages and keeps them for operators. Of a job the row decides: the cron sends it, or it has failed. */
export async function buryDeadLetters(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  for (const message of batch.messages) {
    const pointer = JobPointer.safeParse(message.body);
    logLine("error", "dead_letter", { message: message.id, ...(pointer.success && pointer.data) });
    await keepDeadLetter(db, {
      messageId: message.id,
      queue: queueOf(message.body),
      body: message.body ?? null,
    });
    if (pointer.success) await countDeadLetter(db, pointer.data);
    message.ack();
  }
}

/** Recognizes the queue by the message: all share one for dead letters. */
function queueOf(body: unknown): DeadLetter["queue"] {
  if (JobPointer.safeParse(body).success) return "jobs";
  if (DeliveryPointer.safeParse(body).success) return "webhooks";
  if (MailPointer.safeParse(body).success) return "mails";
  return PlayMessage.safeParse(body).success ? "plays" : "unknown";
}

/** Sends what operators want sent again. A letter that was sent twice does no harm, as a message delivered twice. */
export async function resendDeadLetters(db: Database, env: Env): Promise<void> {
  const due = await dueDeadLetters(db, BATCH);
  if (!due.length) return;
  for (const { queue, body } of due) await producerOf(env, queue)?.send(body);
  await forgetDeadLetters(
    db,
    due.map(({ id }) => id),
  );
}

/** The message was valid when it died: the row names its queue. */
function producerOf(env: Env, queue: DeadLetter["queue"]): Queue<unknown> | undefined {
  const { JOBS: jobs, PLAYS: plays, WEBHOOKS: webhooks, MAILS: mails } = env;
  return { jobs, plays, webhooks, mails, unknown: undefined }[queue] as Queue<unknown> | undefined;
}
