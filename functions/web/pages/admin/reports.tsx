import { listReports, type ReportRow, settleReport } from "../../../../db/queries/moderation-reports.ts";
import { Note, ReportState } from "../../../api/moderation/input.ts";
import { REASONS } from "../../../api/moderation/report.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

export const reportPages = new Routes({ renderError: showAdminError });

const TABS = { open: "Open", resolved: "Resolved", dismissed: "Dismissed" };

reportPages.page("/admin/reports", async (c) => {
  const { data: state = "open" } = ReportState.safeParse(c.req.query("state"));
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Reports",
    section: "/admin/reports",
    tabs: { parameter: "state", names: TABS, current: state },
    rows: await listReports(c.var.db, readerAsOperator(c), state, page),
    idOf: ({ id }) => id,
    empty: `No report is ${TABS[state].toLowerCase()}.`,
    row: (report, acting) => <ReportEntry report={report} acting={acting} />,
  });
});

const STATES = { resolve: "resolved", dismiss: "dismissed", reopen: "open" } as const;

for (const act of ["resolve", "dismiss", "reopen"] as const)
  reportPages.form(`/admin/reports/:id/${act}`, async (c) => {
    const { by, page, fields } = await readAct(c);
    const note = Note.safeParse(fields.note ?? "");
    if (!note.success) return invalid(`The note ${note.error.issues[0]?.message}`);
    const outcome = await settleReport(c.var.db, by, idIn(c), STATES[act], note.data || null);
    return outcome === "unknown" ? refuse("report", outcome) : seeOther(c, page);
  });

/** Pages of a report's subject. */
const PAGES: Partial<Record<ReportRow["target_kind"], string>> = {
  user: "/admin/users/",
  track: "/admin/tracks/",
  playlist: "/admin/sets/",
  comment: "/admin/comments/",
};

/** Words of the link there. */
const LEADS: Partial<Record<ReportRow["target_kind"], string>> = {
  user: "Look at the user",
  track: "Take it down",
  playlist: "Remove it",
  comment: "Remove it",
};

const reasonWords: Record<string, string> = REASONS;

const ReportEntry = ({ report, acting }: { report: ReportRow; acting: Acting }) => {
  const { id, target_kind: kind, target_id, target, url, reason, details, reporter, email, note } = report;
  const page = PAGES[kind];
  const path = `/admin/reports/${id}`;
  const of = `the report of ${minute(report.created_at)}`;
  return (
    <Entry
      title={reasonWords[reason] ?? reason}
      lines={[
        <>
          {kind === "page" ? "A page" : `A ${kind}`}:{" "}
          {/^https?:\/\//.test(url) ? (
            <a href={url} rel="noreferrer">
              {target ?? url}
            </a>
          ) : (
            url
          )}
          {kind === "page" && /\/images\/[0-9a-f]{32}-/.test(url) && (
            <>
              {" · "}
              <a href={`/admin/find?${new URLSearchParams({ q: url })}`}>Whose picture it is</a>
            </>
          )}
          {page && target_id !== null && target !== null && (
            <>
              {" · "}
              <a href={page + target_id}>{LEADS[kind]}</a>
            </>
          )}
        </>,
        report.others > 0 &&
          `${report.others} more open ${report.others === 1 ? "report" : "reports"} about it`,
        <span class="report-details">{details}</span>,
        <>
          {minute(report.created_at)}, by {reporter ? <a href={`/${reporter}`}>{reporter}</a> : "a visitor"}
          {email && `, ${email}`}
        </>,
        report.settled_at !== null &&
          `${TABS[report.state]} ${minute(report.settled_at)}${note ? `: ${note}` : ""}`,
      ]}
    >
      {report.state === "open" ? (
        (["resolve", "dismiss"] as const).map((act) => (
          <ActForm
            acting={acting}
            action={`${path}/${act}`}
            label={act === "resolve" ? "Resolve" : "Dismiss"}
            of={of}
          >
            <label class="entry">
              <span>
                Note<span class="optional"> (optional)</span>
              </span>
              <input id={`note${path.replaceAll("/", "-")}-${act}`} name="note" maxlength={1000} />
            </label>
          </ActForm>
        ))
      ) : (
        <ActForm acting={acting} action={`${path}/reopen`} label="Open again" of={of} />
      )}
    </Entry>
  );
};
