import type { MessageBatch } from "@cloudflare/workers-types";
import * as z from "zod";
import { type Database, openDatabase } from "../../db/client.ts";
import {
  type BegunMail,
  beginMail,
  dispatchMails,
  type MailFailure,
  settleMail,
} from "../../db/queries/mails.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { logLine } from "../../functions/lib/http/log.ts";
import { MAX_SENT_AT_ONCE } from "../../functions/lib/http/queue-messages.ts";
import { sendMail } from "../../functions/lib/services/mail.ts";
import { letterOf } from "./letters.ts";
import { consumePointers, sendEarlyRetry } from "./pointers.ts";

export const MailPointer = z.object({ mail: z.int().positive() });

/** Sends due mails to the queue: retries, and new mails whose request could not send them. */
export async function dispatchDueMails(db: Database, env: Env): Promise<void> {
  const due = await dispatchMails(db, MAX_SENT_AT_ONCE);
  if (due.length) await env.MAILS.sendBatch(due.map((mail) => ({ body: { mail } })));
}

export async function sendMails(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const db = openDatabase(env);
  const events = { malformed: "mail_message_malformed", failed: "mail_not_attempted" };
  await consumePointers(batch, MailPointer, events, ({ mail }) => attempt(db, env, mail));
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
  await sendEarlyRetry(env.MAILS, { mail }, settled?.retry_in_s);
}

/** A mail that cannot be written waits, because a deploy or another key may mend that. */
async function send(env: Env, mail: number, begun: BegunMail): Promise<MailFailure | undefined> {
  try {
    return await sendMail(env, mail, letterOf(env, begun));
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), permanent: false };
  }
}
