import type { MailFailure } from "../../../db/queries/mails.ts";
import { messageOf } from "../errors/message-of.ts";
import type { Env } from "../http/env.ts";

/** Milliseconds. A mail server may take its time before it accepts a mail. */
const PATIENCE_MS = 25_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/**
 * Error codes that a retry cannot fix: developers.cloudflare.com/email-service/api/send-emails/workers-api. A missing
 * sender is not among them, because the operator can set it up.
 */
const PERMANENT = new Set([
  "E_VALIDATION_ERROR",
  "E_FIELD_MISSING",
  "E_CONTENT_TOO_LARGE",
  "E_RECIPIENT_NOT_ALLOWED",
  "E_RECIPIENT_SUPPRESSED",
]);

/**
 * Sends by the platform's e-mail binding, locally by the stand-in at `MAIL_URL`. Returns the failure, if any. `id` lets
 * a mail server recognize a duplicate.
 */
export async function sendMail(env: Env, id: number, mail: Mail): Promise<MailFailure | undefined> {
  const message = { from: env.MAIL_FROM, ...mail };
  try {
    if (env.MAIL_URL) return await post(env.MAIL_URL, { ...message, id: String(id) });
    if (!env.MAIL) throw new Error("neither MAIL nor MAIL_URL is set");
    await inTime(env.MAIL.send({ ...message, from: senderOf(env.MAIL_FROM) }));
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    const words = messageOf(error);
    return { failure: code ? `${code}: ${words}` : words, permanent: PERMANENT.has(code ?? "") };
  }
}

/** Splits `Name <address>`: the platform documents name and address as separate fields. */
function senderOf(mailbox: string): string | { name: string; email: string } {
  const [, name = "", email] = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+)>\s*$/.exec(mailbox) ?? [];
  return name && email ? { name, email } : (email ?? mailbox);
}

/** A timeout, because bindings accept no signal. */
async function inTime(sending: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the mail was not taken in time")), PATIENCE_MS);
  });
  await Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

async function post(url: string, message: object): Promise<MailFailure | undefined> {
  const reply = await fetch(`${url}/messages`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (reply.ok) {
    await reply.body?.cancel();
    return undefined;
  }
  const { error, permanent } = (await reply.json()) as { error?: string; permanent?: boolean };
  return { failure: error ?? `status ${reply.status}`, permanent: permanent ?? false };
}
