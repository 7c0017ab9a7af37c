import * as z from "zod";
import type { NewReport } from "../../../db/queries/moderation-reports.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import type { Mail } from "../../lib/services/mail.ts";
import { text } from "../../lib/text/fields.ts";
import { resourceNamed } from "../resolve/address.ts";

/** Short, because a select on a phone cuts long options. */
export const REASONS = {
  copyright: "Copyright infringement",
  abuse: "Harassment or threats",
  unlawful: "Unlawful in another way",
  spam: "Spam or deception",
  other: "Something else",
} as const;

/** Characters. */
const MAX_DETAILS = 5_000;

export const ReportInput = z.object({
  url: text(2_000).min(1, "is missing"),
  reason: z.enum(Object.keys(REASONS) as [keyof typeof REASONS], "is missing"),
  details: text(MAX_DETAILS).min(1, "are missing"),
  email: z.union([z.literal(""), z.email("is no e-mail address").max(254, "is too long")]),
});
export type ReportInput = z.infer<typeof ReportInput>;

/** Whether the URL is a page of this site. */
export const isOurs = (env: Env, url: string): boolean => {
  const page = URL.parse(url);
  const own = [env.WEB_URL, env.API_URL].map((each) => new URL(each).host);
  return page !== null && /^https?:$/.test(page.protocol) && own.includes(page.host);
};

/** The comment in a page's fragment. */
const COMMENT = /#comment-([1-9]\d{0,15})$/;

type Target = Pick<NewReport, "target_kind" | "target_id" | "owner" | "permalink">;

/** Finds the subject of one of our URLs. Apps and texts count as pages. */
function targetOf(env: Env, url: string): Target {
  const [, comment] = COMMENT.exec(url) ?? [];
  if (comment) return { target_kind: "comment", target_id: Number(comment) };
  const named = resourceNamed(url, env);
  if (!named || named.kind === "app") return { target_kind: "page" };
  const { kind, id, owner, permalink } = named;
  if (id !== undefined) return { target_kind: kind, target_id: id };
  return {
    target_kind: kind,
    ...(owner !== undefined && { owner }),
    ...(permalink !== undefined && { permalink }),
  };
}

/** The row of a report. Keeps a secret in the URL, because operators could not open the page without it. */
export const reportOf = (env: Env, input: ReportInput): NewReport => ({
  ...targetOf(env, input.url),
  url: input.url,
  reason: input.reason,
  details: input.details,
  email: input.email || null,
});

/** The reporter may be signed in. */
export function reportWords(env: Env, report: ReportInput, reporter: number | undefined): Omit<Mail, "to"> {
  const { url, reason, details, email } = report;
  const from = [email || "no address given", reporter !== undefined && `user ${reporter}`].filter(Boolean);
  return {
    subject: `Report: ${reason}`,
    text: [
      `${REASONS[reason]}.`,
      `Address: ${url}`,
      `From: ${from.join(", ")}`,
      "",
      details,
      "",
      `Sent by the form at ${webUrl(env, "/report")}.`,
    ].join("\n"),
  };
}
