import type { Message, MessageBatch, Queue } from "@cloudflare/workers-types";
import { type Database, openDatabase } from "../../db/client.ts";
import { countDeadLetter } from "../../db/queries/jobs.ts";
import {
  type DeadLetter,
  dueDeadLetters,
  forgetDeadLetters,
  keepDeadLetter,
} from "../../db/queries/operations.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { JobPointer } from "./jobs.ts";
import { MailPointer } from "./mails.ts";
import { PlayMessage } from "./plays.ts";
import { DeliveryPointer } from "./webhooks.ts";

/** Letters per run. The rest waits for the next. */
const BATCH = 100;

/** Seconds before a letter that could not be kept comes again. With the queue's retries, longer than an outage of the database. */
const RETRY_DELAY_S = 300;

/** Logs abandoned messages and stores them for operators. This queue has no further queue of dead letters. */
export async function buryDeadLetters(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  for (const message of batch.messages) {
    try {
      await bury(db, message);
      message.ack();
    } catch (error) {
      logLine("error", "dead_letter_not_kept", { message: message.id, ...describeError(error) });
      message.retry({ delaySeconds: RETRY_DELAY_S });
    }
  }
}

/** The job's row decides: the cron sends it again, or it has failed. */
async function bury(db: Database, { id, body }: Message<unknown>): Promise<void> {
  const pointer = JobPointer.safeParse(body);
  logLine("error", "dead_letter", { message: id, ...(pointer.success && pointer.data) });
  await keepDeadLetter(db, { messageId: id, queue: queueOf(body), body: body ?? null });
  if (pointer.success) await countDeadLetter(db, pointer.data);
}

/** Recognizes the original queue by the message, because all queues share one for dead letters. */
function queueOf(body: unknown): DeadLetter["queue"] {
  if (JobPointer.safeParse(body).success) return "jobs";
  if (DeliveryPointer.safeParse(body).success) return "webhooks";
  if (MailPointer.safeParse(body).success) return "mails";
  return PlayMessage.safeParse(body).success ? "plays" : "unknown";
}

/** Sends the letters that operators retry. Sending one twice does no harm, like a redelivered message. */
export async function resendDeadLetters(db: Database, env: Env): Promise<void> {
  const sent: number[] = [];
  for (const { id, queue, body } of await dueDeadLetters(db, BATCH))
    try {
      await producerOf(env, queue)?.send(body);
      sent.push(id);
    } catch (error) {
      logLine("warn", "dead_letter_not_sent", { letter: id, queue, ...describeError(error) });
    }
  if (sent.length) await forgetDeadLetters(db, sent);
}

/** The message was valid when it died: the row names its queue. */
function producerOf(env: Env, queue: DeadLetter["queue"]): Queue<unknown> | undefined {
  const { JOBS: jobs, PLAYS: plays, WEBHOOKS: webhooks, MAILS: mails } = env;
  return { jobs, plays, webhooks, mails, unknown: undefined }[queue] as Queue<unknown> | undefined;
}
