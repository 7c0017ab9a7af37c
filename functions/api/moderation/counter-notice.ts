import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import type { Mail } from "../../lib/services/mail.ts";
import { text } from "../../lib/text/fields.ts";

/** Characters. */
const MAX_STATEMENT = 5_000;

/** An owner's answer to a removal, with all that 17 U.S.C. § 512(g)(3) asks for. */
export const CounterNoticeInput = z.object({
  statement: text(MAX_STATEMENT).min(1, "is missing"),
  contact: text(1_000).min(1, "is missing"),
  name: text(200).min(1, "is missing"),
  sworn: z.literal("on", "is needed"),
  consent: z.literal("on", "is needed"),
});
export type CounterNoticeInput = z.infer<typeof CounterNoticeInput>;

/** The mail for the operators. */
export const counterNoticeWords = (
  env: Env,
  removal: number,
  { statement, contact, name }: CounterNoticeInput,
): Omit<Mail, "to"> => ({
  subject: "Answer to a removal",
  text: [
    `The case: ${webUrl(env, `/admin/removals/${removal}`)}`,
    `From: ${name}`,
    contact,
    "",
    statement,
    "",
    "Sworn under penalty of perjury, with consent to the jurisdiction and to service of process.",
  ].join("\n"),
});
