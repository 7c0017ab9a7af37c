import type { Context } from "hono";
import type { NoticeRow } from "../../../../db/queries/moderation-removals.ts";
import {
  listOwnRemovals,
  type OwnRemoval,
  showOwnRemoval as readOwnRemoval,
  type ShownOwnRemoval,
} from "../../../../db/queries/removals.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { plainIdText } from "../../../lib/text/fields.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { EMPTY, type FormState } from "../../../ui/form.tsx";
import { asReader } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { ListNav, placeIn } from "../rows/paging.tsx";
import { AnswerForm } from "./answer-form.tsx";

/** Rows per page. */
const ROWS = 50;

const NAMES = { track: "Track", playlist: "Set", comment: "Comment", picture: "Picture" };

/** Lists what operators removed of the reader's. */
export async function showOwnRemovals(c: Context<AppEnv>): Promise<Response> {
  const page = { before: placeIn(c) ?? null, limit: ROWS };
  const rows = await asReader(c, (viewer) => listOwnRemovals(c.var.db, viewer, page));
  const last = rows.length === ROWS ? rows.at(-1) : undefined;
  return showSite(
    c,
    { title: "Removed", styles: ["own.css"] },
    <section>
      <header class="page-head">
        <h1>Removed</h1>
      </header>
      <p class="soft">
        Tracks, sets, comments and pictures of yours that the people who run this site removed. Only you see
        them here, and you may answer.
      </p>
      {rows.length === 0 ? (
        <p class="empty">Nothing of yours was removed.</p>
      ) : (
        <ul class="card connected">
          {rows.map((removal) => (
            <li>
              <RemovalRow removal={removal} />
            </li>
          ))}
        </ul>
      )}
      <ListNav reader={readerOf(c)} next={last?.id ?? null} label="Pages" />
    </section>,
  );
}

const RemovalRow = ({ removal }: { removal: OwnRemoval }) => (
  <div class="delivery">
    <strong>
      {NAMES[removal.kind]}: <a href={`/you/removals/${removal.id}`}>{removal.name}</a>
    </strong>
    <p class="hint">
      <StateWords of={removal} />
    </p>
  </div>
);

const StateWords = ({ of: { created_at, restored_at, answered } }: { of: OwnRemoval }) => (
  <>
    Removed <Moment at={created_at} />
    {restored_at !== null ? (
      <>
        , restored <Moment at={restored_at} />
      </>
    ) : (
      answered && ", your answer waits for a decision"
    )}
  </>
);

/** To the minute: periods of law may begin with it. */
const Moment = ({ at }: { at: string }) => (
  <time datetime={at}>{`${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`}</time>
);

/** Shows one case, and the form to answer it. `state` is that of a refused form. */
export async function showOwnRemoval(c: Context<AppEnv>, state: FormState = EMPTY): Promise<Response> {
  const { data: id } = plainIdText.safeParse(c.req.param("id"));
  const removal =
    id === undefined ? undefined : await asReader(c, (viewer) => readOwnRemoval(c.var.db, viewer, id));
  if (!removal) return notFound("Page");
  return showSite(
    c,
    { title: removal.name, styles: ["own.css"], status: state === EMPTY ? 200 : 422 },
    <Case c={c} removal={removal} state={state} />,
  );
}

type CaseProps = { c: Context<AppEnv>; removal: ShownOwnRemoval; state: FormState };

const Case = ({ c, removal, state }: CaseProps) => (
  <div class="settings">
    <header class="page-head">
      <h1>
        {NAMES[removal.kind]}: {removal.name}
      </h1>
      <a href="/you/removals">All that was removed</a>
    </header>
    <section class="card">
      <p>
        <StateWords of={removal} />.
      </p>
      <p>
        The reason: <strong>{removal.reason}</strong>
      </p>
    </section>
    {removal.notices.map((notice) => (
      <Notice notice={notice} />
    ))}
    {removal.restored_at === null && !removal.answered && <AnswerForm c={c} id={removal.id} state={state} />}
  </div>
);

const Notice = ({ notice }: { notice: NoticeRow }) => (
  <section class="card">
    <h2>Your answer</h2>
    <p class="hint">
      {notice.name}, <Moment at={notice.created_at} />
    </p>
    <p class="report-details">{notice.statement}</p>
    {notice.decided_at === null ? (
      <p>It waits for a decision. You get a mail.</p>
    ) : (
      <p>
        {notice.decision === "upheld" ? "It stays removed" : "Restored"}, <Moment at={notice.decided_at} />
        {notice.decision_reason && `: ${notice.decision_reason}`}
      </p>
    )}
  </section>
);
