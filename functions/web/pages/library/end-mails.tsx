import type { Context } from "hono";
import { endNewsMail, type NewsMail } from "../../../../db/queries/news-mails.ts";
import { readBody } from "../../../lib/http/body/read.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { readEndLink } from "./end-link.ts";
import { KIND_NAMES } from "./news-words.ts";

/** Names the mails that end. */
const nameOf = (mail: NewsMail): string =>
  mail === "daily"
    ? "daily mails"
    : `mails about ${KIND_NAMES[mail].replace(/^./, (first) => first.toLowerCase())}`;

/** The field that mail programs send. RFC 8058 §3.1 */
const [FIELD, VALUE] = ["List-Unsubscribe", "One-Click"];

/** Asks by a button, because mail scanners follow links. Needs no sign-in, and does not tell whose mails they are. */
export async function showEndOfMails(c: Context<AppEnv>): Promise<Response> {
  const { mail } = endedBy(c);
  return showSite(
    c,
    { title: "End these mails" },
    <section class="card message">
      <h1>End these mails?</h1>
      <p>You will get no more {nameOf(mail)}.</p>
      <form method="post" data-turbo="false">
        <input type="hidden" name={FIELD} value={VALUE} />
        <button class="button" type="submit">
          End these mails
        </button>
      </form>
    </section>,
  );
}

/** Mail programs send this on their own, without cookies, and follow no redirect. Sent twice, it says the same. */
export async function endMails(c: Context<AppEnv>): Promise<Response> {
  const { userId, mail } = endedBy(c);
  const sent = (await readBody(c, ["form", "multipart"])) as Record<string, unknown>;
  if (sent[FIELD] !== VALUE) return showEndOfMails(c);
  await endNewsMail(c.var.db, userId, mail);
  return showSite(
    c,
    { title: "These mails have ended" },
    <section class="card message">
      <h1>These mails have ended</h1>
      <p>You will get no more {nameOf(mail)}. One that is on its way may still arrive.</p>
      <a class="button quiet" href="/you/notifications/mails">
        Choose your mails
      </a>
    </section>,
  );
}

const endedBy = (c: Context<AppEnv>) => readEndLink(c.env, c.req.param("link") ?? "") ?? notFound("Page");
