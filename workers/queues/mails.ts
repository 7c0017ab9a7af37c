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
import { beginNewsMail, queueNewsMails, readNewsOfMail } from "../../db/queries/news-mails.ts";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { logLine } from "../../functions/lib/http/log.ts";
import { MAX_SENT_AT_ONCE } from "../../functions/lib/http/queue-messages.ts";
import { type Mail, sendMail } from "../../functions/lib/services/mail.ts";
import { newsMail } from "../../functions/web/pages/library/news-mail.ts";
import { letterOf } from "./letters.ts";
import { consumePointers, sendEarlyRetry } from "./pointers.ts";

export const MailPointer = z.object({ mail: z.int().positive() });

/** Sends due mails to the queue: retries, and new mails whose request could not send them. */
export async function dispatchDueMails(db: Database, env: Env): Promise<void> {
  const due = await dispatchMails(db, MAX_SENT_AT_ONCE);
  if (due.length) await env.MAILS.sendBatch(due.map((mail) => ({ body: { mail } })));
}

/** Looks per statement, and statements per run. The rest waits for the next. */
const LOOKS = 200;
const STATEMENTS = 20;

/** Queues the mails about news whose readers chose them. */
export async function queueNews(db: Database, env: Env): Promise<void> {
  for (let statement = 0; statement < STATEMENTS; statement++) {
    const { looked, mails } = await queueNewsMails(db, LOOKS);
    for (let at = 0; at < mails.length; at += MAX_SENT_AT_ONCE)
      await env.MAILS.sendBatch(mails.slice(at, at + MAX_SENT_AT_ONCE).map((mail) => ({ body: { mail } })));
    if (looked < LOOKS) return;
  }
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
  if (begun?.outcome === "news") return attemptNews(db, env, mail, id);
  if (begun?.outcome !== "begun") return;
  await settle(
    db,
    env,
    { mail, kind: begun.kind, attempt: id },
    await send(env, mail, () => letterOf(env, begun)),
  );
}

/** Sends what the reader may see by now. News that nobody wants or sees any more is dropped. */
async function attemptNews(db: Database, env: Env, mail: number, id: string): Promise<void> {
  const begun = await beginNewsMail(db, mail, id);
  if (!begun) return;
  const { userId, recipient, kinds, facts } = begun;
  const news = kinds && (await readNewsOfMail(db, userId, kinds, facts));
  const failed = news?.groups.length
    ? await send(env, mail, () => newsMail(env, recipient, { userId, mail: facts.mail, ...news }))
    : undefined;
  await settle(db, env, { mail, kind: "news", attempt: id }, failed);
}

interface Attempted {
  mail: number;
  kind: BegunMail["kind"];
  attempt: string;
}

async function settle(
  db: Database,
  env: Env,
  { mail, kind, attempt: id }: Attempted,
  failed: MailFailure | undefined,
): Promise<void> {
  const settled = await settleMail(db, mail, id, failed);
  // The provider's words name the address, so the row alone has them.
  if (failed)
    logLine(settled?.state === "failed" ? "error" : "warn", "mail_failed", {
      mail,
      kind,
      permanent: failed.permanent,
      state: settled?.state,
    });
  await sendEarlyRetry(env.MAILS, { mail }, settled?.retry_in_s);
}

/** A mail that cannot be written waits, because a deploy or another key may mend that. */
async function send(env: Env, mail: number, write: () => Mail): Promise<MailFailure | undefined> {
  try {
    return await sendMail(env, mail, write());
  } catch (error) {
    return { failure: messageOf(error), permanent: false };
  }
}
