import { type Overview, showOverview } from "../../../../db/queries/admin-pages.ts";
import { beginRecount } from "../../../../db/queries/moderation.ts";
import type { StoredKind } from "../../../../db/queries/stored-objects.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { readAct, readerAsOperator } from "./guard.ts";
import { actingOf, Entry } from "./list-page.tsx";
import { duration, minute, size } from "./words.ts";

export const overview = new Routes({ renderError: showAdminError });

overview.page("/admin", async (c) => {
  const counts = await showOverview(c.var.db, readerAsOperator(c));
  const waiting = agedOf(counts.oldest_waiting_s);
  return showAdmin(
    c,
    { title: "Operation", section: "/admin" },
    <section>
      <header class="page-head">
        <h1>Operation</h1>
      </header>
      <dl class="admin-counts">
        <Count of={counts.reports_open} href="/admin/reports" name="Open reports" urgent />
        <Count of={counts.jobs_failed} href="/admin/jobs" name="Failed jobs" urgent />
        <Count
          of={counts.jobs_waiting}
          href="/admin/jobs?state=queued"
          name="Waiting jobs"
          more={`${counts.jobs_running} running${waiting && `, ${waiting}`}`}
        />
        <Count
          of={counts.publications_due}
          href="/admin/overdue"
          name="Overdue publications"
          more={agedOf(counts.oldest_publication_s)}
          urgent
        />
        <Count
          of={counts.imports_running}
          href="/admin/overdue"
          name="Podcasts moving in"
          more={`${counts.imports_idle} idle`}
        />
        <Count of={counts.dead_letters} href="/admin/dead-letters" name="Dead letters" urgent />
        <Count
          of={counts.mails_failed}
          href="/admin/mails"
          name="Failed mails"
          more={`${counts.mails_waiting} on their way`}
          urgent
        />
        <Count of={counts.deliveries_failed} href="/admin/deliveries" name="Failed deliveries" urgent />
        <Count
          of={counts.deliveries_pending}
          href="/admin/deliveries?state=pending"
          name="Pending deliveries"
          more={`${counts.webhooks_disabled} webhooks are switched off`}
        />
      </dl>
      <Stored of={counts.stored} />
      <Recounts of={counts.recounts} acting={actingOf(c)} />
    </section>,
  );
});

const agedOf = (oldestS: number | null): string =>
  oldestS === null ? "" : `the oldest for ${duration(oldestS)}`;

overview.form("/admin/counters/recount", async (c) => {
  const { by, page } = await readAct(c);
  await beginRecount(c.var.db, by);
  return seeOther(c, page);
});

/** Shows what lies in storage, as of the last sweep. */
const Stored = ({ of }: { of: Overview["stored"] }) => (
  <section class="admin-recounts">
    <h2>Storage</h2>
    <ul class="card connected admin-rows">
      {STORED.map(([kind, name]) => (
        <li>
          <Entry
            title={name}
            lines={[`${size(of[kind]?.bytes ?? 0)} in ${of[kind]?.objects ?? 0} files or groups of files`]}
          />
        </li>
      ))}
    </ul>
  </section>
);

const STORED: [StoredKind, string][] = [
  ["original", "Originals"],
  ["encode", "Encoded tracks"],
  ["picture", "Pictures"],
  ["deleted", "Deleted, and kept for a return to last week"],
];

/** Shows when counters were compared with their rows: each night, and within five minutes of an operator's request. */
const Recounts = ({ of, acting }: { of: Overview["recounts"]; acting: Acting }) => (
  <section class="admin-recounts">
    <h2>Counters</h2>
    {of.length > 0 && (
      <ul class="card connected admin-rows">
        {of.map(({ kind, state, checked, repaired, begun_at }) => (
          <li>
            <Entry
              title={`${kind[0]?.toUpperCase()}${kind.slice(1)}s`}
              lines={
                begun_at === null
                  ? ["A recount begins within five minutes."]
                  : [`${checked} checked, ${repaired} repaired`, `${BEGUN[state]} ${minute(begun_at)}`]
              }
            />
          </li>
        ))}
      </ul>
    )}
    <div class="admin-acts">
      <ActForm acting={acting} action="/admin/counters/recount" label="Recount" of="all counters" />
    </div>
  </section>
);

const BEGUN = { running: "Under way since", done: "Begun", due: "Due since" };

interface CountProps {
  of: number;
  name: string;
  /** Path of the list of what is counted, if there is one. */
  href?: string;
  more?: string;
  /** Emphasized unless it is 0. */
  urgent?: boolean;
}

const Count = ({ of, name, href, more, urgent = false }: CountProps) => (
  <div class={urgent && of > 0 ? "card urgent" : "card"}>
    <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
    <dd>{of}</dd>
    {more && <dd class="hint">{more}</dd>}
  </div>
);
