import type { Env } from "../http/env.ts";
import { describeError, logLine } from "../http/log.ts";

/** Milliseconds. */
const PATIENCE_MS = 10_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends by the platform's e-mail binding, locally to the catcher at /dev/mail. Replies never depend on its
 * outcome.
 */
export async function sendMail(env: Env, mail: Mail): Promise<void> {
  try {
    const message = { from: env.MAIL_FROM, ...mail };
    if (env.MAIL) await inTime(env.MAIL.send(message));
    else if (env.MAIL_URL) await post(env.MAIL_URL, message);
    else throw new Error("neither MAIL nor MAIL_URL is set");
  } catch (error) {
    logLine("error", "mail_failed", describeError(error));
  }
}

/** A timeout, because bindings accept no signal. */
async function inTime(sending: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the mail was not taken in time")), PATIENCE_MS);
  });
  await Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

async function post(url: string, message: object): Promise<void> {
  const reply = await fetch(`${url}/messages`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new Error(`the mail catcher answered ${reply.status}`);
}
