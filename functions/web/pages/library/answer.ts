import type { Context } from "hono";
import { sendCounterNotice } from "../../../../db/queries/removals.ts";
import { CounterNoticeInput, counterNoticeWords } from "../../../api/moderation/counter-notice.ts";
import { tooManyAttempts } from "../../../auth/accounts/sign-in.tsx";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { seal } from "../../../lib/security/sealing.ts";
import { plainIdText } from "../../../lib/text/fields.ts";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { asReader } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ANSWER } from "./answer-form.tsx";
import { showOwnRemoval } from "./removals.tsx";

/** Receives an owner's answer to a removal. A form that is sent twice finds the first answer. */
export async function sendAnswer(c: Context<AppEnv>): Promise<Response> {
  const { data: id } = plainIdText.safeParse(c.req.param("id"));
  if (id === undefined) return notFound("Page");
  const page = formPage(c, `/you/removals/${id}`);
  const values = await readOwnForm(c, ANSWER);
  const read = CounterNoticeInput.safeParse(values);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => [String(path[0]), message]);
    return showOwnRemoval(c, { values, problems: Object.fromEntries(problems) });
  }
  const to = c.env.REPORTS_TO;
  const words = JSON.stringify(counterNoticeWords(c.env, id, read.data));
  const mail = to ? { to, sealed: seal(c.env, words) } : undefined;
  const { statement, name, contact } = read.data;
  const sent = await asReader(c, (viewer) =>
    sendCounterNotice(c.var.db, viewer, id, { statement, name, contact }, mail),
  );
  if (sent.outcome === "unknown") return notFound("Page");
  if (sent.outcome === "limited") return tooManyAttempts(sent.retry_after);
  return seeOther(c, page);
}
