import { actOnJob, JOB_STATES, type Job, listJobs } from "../../../../db/queries/operations.ts";
import { reasonSentence } from "../../../api/tracks/failures.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute, size } from "./words.ts";

export const jobPages = new Routes({ renderError: showAdminError });

const TABS = { failed: "Failed", queued: "Waiting", leased: "Running" };

jobPages.page("/admin/jobs", async (c) => {
  const state = JOB_STATES.find((each) => each === c.req.query("state")) ?? "failed";
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Encoding jobs",
    section: "/admin/jobs",
    tabs: { parameter: "state", names: TABS, current: state },
    rows: await listJobs(c.var.db, readerAsOperator(c), state, page),
    idOf: ({ track }) => track,
    empty: `No job is ${TABS[state].toLowerCase()}.`,
    row: (job, acting) => <JobRow job={job} acting={acting} />,
  });
});

for (const act of ["retry", "drop"] as const)
  jobPages.form(`/admin/jobs/:id/${act}`, async (c) => {
    const { by, page } = await readAct(c);
    const { outcome } = await actOnJob(c.var.db, by, act, idIn(c));
    return outcome === "done" ? seeOther(c, page) : refuse("job", outcome);
  });

const JobRow = ({ job, acting }: { job: Job; acting: Acting }) => {
  const path = `/admin/jobs/${job.track}`;
  return (
    <Entry
      title={<a href={`/admin/tracks/${job.track}`}>{job.title}</a>}
      lines={[
        <>
          by <a href={`/admin/users/${job.user_id}`}>{job.user}</a>
          {job.bytes !== null && `, ${size(job.bytes)}`}, uploaded {minute(job.created_at)}
        </>,
        stateOf(job),
        job.failure_reason && (
          <>
            {reasonSentence(job.failure_reason)} <code>{job.failure_reason}</code>{" "}
            {job.failure_detail && <code>{job.failure_detail}</code>}
          </>
        ),
      ]}
    >
      {job.state !== "leased" && (
        <ActForm
          acting={acting}
          action={`${path}/retry`}
          label={job.state === "queued" ? "Run now" : "Retry"}
          of={job.title}
        />
      )}
      {job.state !== "failed" && (
        <ActForm
          acting={acting}
          action={`${path}/drop`}
          label="Drop"
          of={job.title}
          reason="optional"
          hint="The track fails, and its owner reads that an operator stopped it."
          kind="danger"
        />
      )}
    </Entry>
  );
};

function stateOf({ state, attempts, transcoder, progress, next_run_at, finished_at }: Job): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  if (state === "leased") return `${tries}, ${Math.floor(progress * 100)} % on ${transcoder}`;
  if (state === "queued") return `${tries}, due ${minute(next_run_at)}`;
  return `${tries}${finished_at === null ? "" : `, given up ${minute(finished_at)}`}`;
}
