import type { Context } from "hono";
import { saveReport } from "../../../../db/queries/moderation-reports.ts";
import { isOurs, REASONS, ReportInput, reportOf, reportWords } from "../../../api/moderation/report.ts";
import { addressOf } from "../../../lib/http/address.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { budgetOf, settleBudget } from "../../../lib/http/limits/budgets.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seal } from "../../../lib/security/sealing.ts";
import { usesTurnstile } from "../../../lib/services/turnstile.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken, readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { siteName } from "../../../ui/name.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { privacyWords, TERMS } from "./words.ts";

/** {web_url}: the operator's texts, and the form for reports to the operator. */
export const texts = new Routes({ renderError: showSiteError });

texts.page("/terms", (c) => showText(c, "Terms", c.env.TERMS_TEXT || TERMS));
texts.page("/privacy", (c) =>
  showText(c, "Privacy", c.env.PRIVACY_TEXT || privacyWords(usesTurnstile(c.env))),
);

function showText(c: Context<AppEnv>, title: string, text: string): Response {
  if (/^https?:\/\/\S+$/.test(text)) return c.redirect(text, 302);
  const paragraphs = text.replaceAll("NAME", siteName(c.env)).split(/\n\s*\n/);
  return showSite(
    c,
    { title },
    <article class="card text-page">
      <h1>{title}</h1>
      {paragraphs.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </article>,
  );
}

const REPORT = "report";

/** A page of its own, because Turbo requires a redirect after a form. */
const SENT = "/report/sent";

texts.page("/report", (c) => showReport(c, { values: { url: c.req.query("url") ?? "" }, problems: {} }));

texts.form("/report", async (c) => {
  formPage(c, "/report");
  const values = await readOwnForm(c, REPORT);
  const read = ReportInput.safeParse({ email: "", ...values });
  if (!read.success) {
    const problems = Object.fromEntries(read.error.issues.map(({ path, message }) => [path[0], message]));
    return showReport(c, { values, problems });
  }
  if (!isOurs(c.env, read.data.url))
    return showReport(c, { values, problems: { url: "is not on this site" } });
  await receiveReport(c, read.data);
  return seeOther(c, `${SENT}?${new URLSearchParams({ url: read.data.url })}`);
});

texts.page(SENT, (c) => {
  const { url = "" } = c.req.query();
  return showSite(
    c,
    { title: "Report sent" },
    <section class="card message">
      <h1>Thank you</h1>
      <p>Your report is on its way to the people who run {siteName(c.env)}.</p>
      {isOurs(c.env, url) ? (
        <a class="button" href={url}>
          Back to the page
        </a>
      ) : (
        <a class="button" href="/">
          To the home page
        </a>
      )}
    </section>,
  );
});

/** Adds a report to the operators' queue, and mails it if a mailbox is configured. */
async function receiveReport(c: Context<AppEnv>, input: ReportInput): Promise<void> {
  const { sessionId = null, userId = null } = siteViewer(c) ?? {};
  const from = { sessionId, userId, address: addressOf(c.req) };
  const budget = budgetOf(c.env, "reports");
  const to = c.env.REPORTS_TO;
  const words = JSON.stringify(reportWords(c.env, input, userId ?? undefined));
  const mail = to ? { to, sealed: seal(c.env, words) } : undefined;
  settleBudget(c, "reports", await saveReport(c.var.db, reportOf(c.env, input), from, budget, mail));
}

/** None is chosen at first, or people in a hurry would claim what stands first. */
const CHOICES: [value: string, label: string][] = [["", "Choose a reason"], ...Object.entries(REASONS)];

const LABELS = {
  url: "Address of the page",
  reason: "What is wrong",
  details: "Details",
  email: "Your e-mail address",
};

function showReport(c: Context<AppEnv>, state: FormState): Response {
  const isSent = Object.keys(state.problems).length > 0;
  const field = { form: REPORT, state };
  return showSite(
    c,
    { title: "Report", status: isSent ? 422 : 200 },
    <section class="card text-page">
      <h1>Report a page</h1>
      <Form
        action="/report"
        token={formToken(c, REPORT)}
        name={REPORT}
        labels={LABELS}
        state={state}
        submit="Send the report"
      >
        <Field {...field} name="url" label={LABELS.url} type="url" maxlength={2_000} />
        <Field {...field} name="reason" label={LABELS.reason} options={CHOICES} />
        <Field {...field} name="details" label={LABELS.details} rows={6} maxlength={5_000} />
        <Field
          {...field}
          name="email"
          label={LABELS.email}
          type="email"
          autocomplete="email"
          hint="For questions and an answer. Only the people who run this site see it."
          optional
        />
      </Form>
    </section>,
  );
}
