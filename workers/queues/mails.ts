import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import {
  type BegunMail,
  beginMail,
  dispatchMails,
  type MailFailure,
  settleMail,
} from "../../db/queries/mails.ts";
import type { Env } from "../../functions/http/env.ts";
import { describeError, logLine } from "../../functions/http/log.ts";
import { sendMail } from "../../functions/services/mail.ts";
import { letterOf } from "./letters.ts";

export const MailPointer = z.object({ mail: z.int().positive() });

/** The queue's limit on one send. */
const BATCH = 100;

/** Seconds before a message that failed is retried. */
const RETRY_DELAY_S = 10;
/** Seconds between crons. Earlier retries go to the queue with a delay. */
const CRON_S = 60;

/** Sends due mails to the queue: repetitions, and new ones whose request could not. */
export async function dispatchDueMails(db: Database, env: Env): Promise<void> {
  const due = await dispatchMails(db, BATCH);
  if (due.length) await env.MAILS.sendBatch(due.map((mail) => ({ body: { mail } })));
}

/** Sends mails side by side, so that a slow provider delays none. */
export async function sendMails(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  await Promise.all(batch.messages.map((message) => sendOne(db, env, message)));
}

/** Handles one message. Failed attempts are acknowledged, because the row schedules the next. */
async function sendOne(db: Database, env: Env, message: Message<unknown>): Promise<void> {
  const pointer = MailPointer.safeParse(message.body);
  if (!pointer.success) {
    logLine("error", "mail_message_malformed", { message: message.id });
    return message.ack();
  }
  try {
    await attempt(db, env, pointer.data.mail);
    message.ack();
  } catch (error) {
    logLine("error", "mail_not_attempted", {
      ...pointer.data,
      attempt: message.attempts,
      ...describeError(error),
    });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

/** A crash between sending and noting sends the mail once more: at least once, never lost. */
async function attempt(db: Database, env: Env, mail: number): Promise<void> {
  const id = crypto.randomUUID();
  const begun = await beginMail(db, mail, id);
  if (begun?.outcome === "expired") logLine("error", "mail_failed", { mail, expired: true });
  if (begun?.outcome !== "begun") return;
  const failed = await send(env, mail, begun);
  const settled = await settleMail(db, mail, id, failed);
  // The provider's words name the address, so the row alone has them.
  if (failed)
    logLine(settled?.state === "failed" ? "error" : "warn", "mail_failed", {
      mail,
      kind: begun.kind,
      permanent: failed.permanent,
      state: settled?.state,
    });
  const wait = settled?.retry_in_s ?? CRON_S;
  if (wait < CRON_S) await env.MAILS.send({ mail }, { delaySeconds: Math.ceil(wait) });
}

/** A mail that cannot be written waits, because a deploy or another key may mend that. */
async function send(env: Env, mail: number, begun: BegunMail): Promise<MailFailure | undefined> {
  try {
    return await sendMail(env, mail, letterOf(env, begun));
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), permanent: false };
  }
}
