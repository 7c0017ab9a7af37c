import type { Context } from "hono";
import {
  listRemovals,
  type NoticeRow,
  REMOVAL_STATES,
  type RemovalRow,
  restorePost,
  type ShownRemoval,
  showRemoval,
  upholdRemoval,
} from "../../../../db/queries/moderation-removals.ts";
import { REASONS } from "../../../api/moderation/report.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { textOf } from "../../../lib/text/plain-text.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { actingOf, Entry, FactList, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { SearchForm } from "./search-form.tsx";
import { minute } from "./words.ts";

/** Cases of what was removed, and the owners' answers. */
export const removalPages = new Routes({ renderError: showAdminError });

const TABS = { answered: "Answered", removed: "Removed", restored: "Restored" };

const KIND_NAMES = { track: "Track", playlist: "Set", comment: "Comment", picture: "Picture" };

removalPages.page("/admin/removals", async (c) => {
  const state = REMOVAL_STATES.find((each) => each === c.req.query("state")) ?? "answered";
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Removals",
    section: "/admin/removals",
    hint: "Owners may answer. Nothing is restored by itself.",
    above: <SearchForm path="/admin/find" label="Address of a page, comment or picture" value="" />,
    tabs: { parameter: "state", names: TABS, current: state },
    rows: await listRemovals(c.var.db, readerAsOperator(c), state, page),
    idOf: ({ id }) => id,
    empty: state === "answered" ? "No answer waits for a decision." : `Nothing is ${state}.`,
    row: (removal) => <RemovalEntry removal={removal} />,
  });
});

const RemovalEntry = ({ removal }: { removal: RemovalRow }) => (
  <Entry
    title={
      <>
        {KIND_NAMES[removal.kind]}: <a href={`/admin/removals/${removal.id}`}>{removal.name}</a>
      </>
    }
    lines={[
      <>
        of <a href={`/admin/users/${removal.user_id}`}>{removal.user}</a>, removed{" "}
        {minute(removal.created_at)}
      </>,
      removal.reason,
      removal.answered && "The owner has answered.",
      removal.restored_at !== null && `Restored ${minute(removal.restored_at)}`,
    ]}
  />
);

removalPages.page("/admin/removals/:id", async (c) => {
  const removal = await showRemoval(c.var.db, readerAsOperator(c), idIn(c));
  return removal ? showCase(c, removal) : notFound("Case");
});

removalPages.form("/admin/removals/:id/restore", async (c) => {
  const { withReason, page } = await readAct(c);
  const { outcome } = await restorePost(c.var.db, withReason(), idIn(c));
  return outcome === "done" || outcome === "already" ? seeOther(c, page) : refuse("removal", outcome);
});

removalPages.form("/admin/removals/:id/uphold", async (c) => {
  const { withReason, page } = await readAct(c);
  const { outcome } = await upholdRemoval(c.var.db, withReason(), idIn(c));
  return outcome === "done" ? seeOther(c, page) : refuse("removal", outcome);
});

const reasonWords: Record<string, string> = REASONS;

const showCase = (c: Context<AppEnv>, removal: ShownRemoval): Response =>
  showAdmin(
    c,
    { title: removal.name, section: "/admin/removals" },
    <>
      <header class="page-head">
        <h1>
          {KIND_NAMES[removal.kind]}: {removal.name}
        </h1>
      </header>
      <section class="card own-section">
        {removal.body && <p class="report-details">{textOf(removal.body)}</p>}
        <FactList
          facts={[
            ["Owner", <a href={`/admin/users/${removal.user_id}`}>{removal.user}</a>],
            ...factsOf(removal),
          ]}
        />
        {removal.restored_at === null && <Decision of={removal} acting={actingOf(c)} />}
      </section>
      <section>
        <h2>Answers of the owner</h2>
        {removal.notices.length === 0 ? (
          <p class="empty">The owner has not answered.</p>
        ) : (
          <ul class="card connected admin-rows">
            {removal.notices.map((notice) => (
              <li>
                <NoticeEntry notice={notice} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Reports</h2>
        {removal.reports.length === 0 ? (
          <p class="empty">Nobody reported it.</p>
        ) : (
          <ul class="card connected admin-rows">
            {removal.reports.map((report) => (
              <li>
                <Entry
                  title={reasonWords[report.reason] ?? report.reason}
                  lines={[
                    <span class="report-details">{report.details}</span>,
                    `${minute(report.created_at)}${report.email ? `, ${report.email}` : ""}`,
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>,
  );

const factsOf = (removal: ShownRemoval): [string, string][] => [
  ["Removed", `${minute(removal.created_at)}: ${removal.reason}`],
  ...(removal.restored_at ? [["Restored", minute(removal.restored_at)] as [string, string]] : []),
];

const Decision = ({ of, acting }: { of: ShownRemoval; acting: ReturnType<typeof actingOf> }) => (
  <div class="admin-acts">
    <ActForm
      acting={acting}
      action={`/admin/removals/${of.id}/restore`}
      label="Restore"
      of={of.name}
      reason="required"
      hint="The owner and those who reported it read it in a mail."
    />
    {of.answered && (
      <ActForm
        acting={acting}
        action={`/admin/removals/${of.id}/uphold`}
        label="Leave it removed"
        of={of.name}
        reason="required"
        hint="The owner and those who reported it read it in a mail."
      />
    )}
  </div>
);

const NoticeEntry = ({ notice }: { notice: NoticeRow }) => (
  <Entry
    title={`${notice.name}, ${minute(notice.created_at)}`}
    lines={[
      <span class="report-details">{notice.statement}</span>,
      <span class="report-details">{notice.contact}</span>,
      "Swears under penalty of perjury to believe in good faith that it was removed by mistake, consents to the jurisdiction, and accepts service of process.",
      notice.decided_at &&
        `${notice.decision === "upheld" ? "Left removed" : "Restored"} ${minute(notice.decided_at)}${
          notice.decision_reason ? `: ${notice.decision_reason}` : ""
        }`,
    ]}
  />
);
