import * as z from "zod";
import type { Env } from "../../http/env.ts";
import { webUrl } from "../../http/links.ts";
import type { Mail } from "../../services/mail.ts";

export const REASONS = {
  copyright: "It uses somebody's work without permission",
  abuse: "It harasses or threatens somebody",
  unlawful: "It is unlawful in another way",
  spam: "It is spam or deceives people",
  other: "Something else",
} as const;

/** Characters. */
const MAX_DETAILS = 5_000;

export const ReportInput = z.object({
  url: z.string().trim().min(1, "is missing").max(2_000, "is too long"),
  reason: z.enum(Object.keys(REASONS) as [keyof typeof REASONS], "is missing"),
  details: z
    .string()
    .trim()
    .min(1, "are missing")
    .max(MAX_DETAILS, `may have ${MAX_DETAILS} characters at most`),
  email: z.union([z.literal(""), z.email("is no e-mail address")]),
});
export type ReportInput = z.infer<typeof ReportInput>;

/** Whether the address leads to a page of this site. */
export const isOurs = (env: Env, url: string): boolean => {
  const page = URL.parse(url);
  const own = [env.WEB_URL, env.API_URL].map((each) => new URL(each).host);
  return page !== null && own.includes(page.host);
};

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
