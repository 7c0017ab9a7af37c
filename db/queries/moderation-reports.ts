import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { reports } from "../schema/moderation.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import type { By } from "./moderation.ts";

export const ReportRow = () =>
  rowOf(reports).extend({
    created_at: z.string(),
    /** Present name of what the report is about; null for other pages, and once it is gone. */
    target: z.string().nullable(),
    /** Other open reports about the same. */
    others: z.number(),
    /** Permalink. */
    reporter: z.string().nullable(),
  });
export type ReportRow = ReplyOf<typeof ReportRow>;

export type ReportState = ReportRow["state"];

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

/** A mail to the operators. `sealed` is what it says, encrypted. */
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

/** Lists reports: open ones from the oldest, all others from the newest. A null state lists all. */
export const listReports = (
  db: Database,
  state: ReportState | null,
  { after, limit }: { after: number | null; limit: number },
) => db.call("list_reports", () => z.array(ReportRow()), { state, after, limit });

export const settleReport = (db: Database, by: By, report: number, state: ReportState, note: string | null) =>
  db.call(
    "settle_report",
    () =>
      z.union([
        z.strictObject({ outcome: z.enum(["done", "already"]), report: ReportRow() }),
        z.strictObject({ outcome: z.literal("unknown") }),
      ]),
    { by, report, state, note },
  );
