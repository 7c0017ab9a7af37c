import { and, asc, desc, eq, gt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { comments } from "../schema/comments.ts";
import { reports } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { type By, below, mayAct, mayRead, noted, type Operator, type Page } from "./acts.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { createdAt, firstRow, moment } from "./caller.ts";

/** The user that a report is about, or the owner of the track or playlist. */
const owner = alias(users, "owner");

const kind = reports.targetKind;

/** Present name of the report's subject. Null for other pages and for deleted subjects. */
const target = sql<string | null>`case ${kind} when 'user' then ${owner.permalink}
  when 'track' then ${owner.permalink} || '/' || ${tracks.permalink}
  when 'playlist' then ${owner.permalink} || '/sets/' || ${playlists.permalink}
  when 'comment' then left(${comments.body}, 100) end`.as("target");

const reportRows = (on: Reader) =>
  on
    .select({
      id: reports.id,
      // An alias, because a change selects from these columns by name.
      created_at: createdAt(reports.id).as("created_at"),
      state: reports.state,
      reason: reports.reason,
      details: reports.details,
      url: reports.url,
      target_kind: kind,
      target_id: reports.targetId,
      target,
      /** Number of other open reports about the same subject. */
      others: sql`(select count(*) from ${reports} o where o.target_kind = ${kind}
        and o.target_id = ${reports.targetId} and o.id <> ${reports.id} and o.state = 'open')`.mapWith(
        Number,
      ),
      reporter_id: reports.reporterId,
      /** Permalink. */
      reporter: users.permalink,
      email: reports.email,
      note: reports.note,
      settled_at: moment<string | null>(reports.settledAt),
    })
    .from(reports)
    .leftJoin(users, eq(users.id, reports.reporterId))
    .leftJoin(tracks, and(eq(kind, "track"), eq(tracks.id, reports.targetId)))
    .leftJoin(playlists, and(eq(kind, "playlist"), eq(playlists.id, reports.targetId)))
    .leftJoin(comments, and(eq(kind, "comment"), eq(comments.id, reports.targetId)))
    .leftJoin(
      owner,
      eq(
        owner.id,
        sql`case ${kind} when 'user' then ${reports.targetId} when 'track' then ${tracks.userId}
          when 'playlist' then ${playlists.userId} end`,
      ),
    );

export type ReportRow = Awaited<ReturnType<typeof reportRows>>[number];

type ReportState = ReportRow["state"];

/** Lists reports: open ones from the oldest, all others from the newest. A null state lists all. */
export const listReports = (
  db: Database,
  operator: Operator,
  state: ReportState | null,
  { before: place, limit }: Page,
) =>
  db.read((on) => {
    const goesOn = state === "open" ? gt(reports.id, place ?? 0) : below(reports.id, place);
    return reportRows(on)
      .where(and(mayRead(operator), state === null ? undefined : eq(reports.state, state), goesOn))
      .orderBy(state === "open" ? asc(reports.id) : desc(reports.id))
      .limit(limit);
  });

/** The present state of a report that an operator settled. */
export const findReport = (db: Database, operator: Operator, id: number) =>
  db.read((on) => reportRows(on).where(and(mayRead(operator), eq(reports.id, id)))).then(firstRow);

const ACTS = { resolved: "report.resolve", dismissed: "report.dismiss", open: "report.reopen" };

/** Moves a report to another state, `open` again included, with a note. */
export async function settleReport(
  db: Database,
  by: By,
  id: number,
  state: ReportState,
  note: string | null,
): Promise<"done" | "already" | "unknown"> {
  const [report] = await db.write((on) => {
    const before = on.$with("before").as(
      reportRows(on)
        .where(and(mayAct(by), eq(reports.id, id)))
        .for("update", { of: reports }),
    );
    const differs = or(ne(before.state, state), sql`${before.note} is distinct from ${note}`);
    const changed = on.$with("changed").as(
      on
        .update(reports)
        .set({ state, note, settledAt: state === "open" ? null : sql`now()` })
        .from(before)
        .where(and(eq(reports.id, before.id), differs))
        .returning({ id: reports.id }),
    );
    const about = sql`jsonb_build_object('kind', ${before.target_kind}, 'id', ${before.target_id})`;
    const details = sql`jsonb_build_object('note', ${note}::text, 'about', ${about})`;
    const written = noted(by, ACTS[state], { kind: "report", id: before.id, name: before.target }, details);
    return on
      .with(before, changed)
      .select({ changed: changed.id, noted: sql`case when ${changed.id} is not null then ${written} end` })
      .from(before)
      .leftJoin(changed, eq(changed.id, before.id));
  });
  if (!report) return "unknown";
  return report.changed === null ? "already" : "done";
}

export interface NewReport {
  target_kind: ReportRow["target_kind"];
  /** Either the id or the permalinks, unless it is a page. */
  target_id?: number;
  owner?: string;
  permalink?: string;
  url: string;
  reason: string;
  details: string;
  email: string | null;
}

/** The sender of a report. A visitor has an address alone. */
interface Reporter {
  sessionId: number | null;
  userId: number | null;
  address: string;
}

/** A mail to the operators. `sealed` is its encrypted text. */
interface ReportMail {
  to: string;
  sealed: Uint8Array;
}

/** Saves a report, queues its mail and counts it against the sender's budget. An open one is kept once, and mailed once. */
export const saveReport = (
  db: Database,
  report: NewReport,
  from: Reporter,
  budget: BudgetLimit | null,
  mail: ReportMail | undefined,
) =>
  db.call(
    "save_report",
    () =>
      z.union([
        z.strictObject({ outcome: z.literal("done"), spent: Spent().nullable(), id: z.number() }),
        OverBudget(),
      ]),
    {
      report,
      session: from.sessionId,
      user: from.userId,
      budget,
      address: from.address,
      mail_to: mail?.to ?? null,
      mail: mail?.sealed ?? null,
    },
  );
