import { sql } from "drizzle-orm";
import { databaseFault, LATE } from "./faults.ts";

/** Limits of a statement. It must end a second before the Worker stops waiting for its reply. */
interface Limits {
  replyMs: number;
  /** A PostgreSQL interval. */
  within: string;
}

/** Milliseconds. The spare second covers the commit and the reply's transit. */
export const USUAL: Limits = { replyMs: 6_000, within: "5 seconds" };
export const AT_LENGTH: Limits = { replyMs: 120_000, within: "119 seconds" };

/** Milliseconds by which the database's clock leads ours, as far as this isolate knows. Usually 0. */
let clockOffsetMs = 0;

/** Returns the database's time now, from which deadlines count. */
const sentAt = () => new Date(Date.now() + clockOffsetMs).toISOString();

/** SQL with its parameters: a whole statement or one expression. */
export interface Statement {
  text: string;
  parameters: readonly unknown[];
}

/** Wraps an expression so that it fails after its deadline. The last parameter is the time of sending. */
export const withDeadline = ({ text, parameters }: Statement, { within }: Limits): Statement => ({
  text: `in_time(${text}, $${parameters.length + 1}, '${within}')`,
  parameters: [...parameters, sentAt()],
});

const noted = (name: string) => `nullif(current_setting('soundpost.${name}', true), '') as ${name}`;

/** Webhook deliveries and mails that the transaction has created, noted by a trigger and by `queue_mail`. */
const QUEUED = `${noted("deliveries")}, ${noted("mails")}`;

/** The row of a check: ids separated by commas. */
export interface Checked extends Record<string, unknown> {
  deliveries: string | null;
  mails: string | null;
}

/** Checks the deadline at the end of a batch of the query builder. */
export const deadlineCheck = ({ within }: Limits) =>
  sql`select in_time(true, ${sentAt()}, ${within}), ${sql.raw(QUEUED)}`;

/**
 * Corrects our clock when a statement fails as late. The error carries the database's time, which lies between sending
 * and reply. The corrected statement may then be sent again.
 */
export async function withClockCorrection<Result>(statement: () => Promise<Result>): Promise<Result> {
  const sent = Date.now();
  try {
    return await statement();
  } catch (error) {
    const fault = databaseFault(error);
    const databaseMs = fault?.sqlstate === LATE ? Number(fault.detail) : Number.NaN;
    const [least, most] = [databaseMs - Date.now(), databaseMs - sent];
    // The lower bound is safe: a deadline that comes too early loses nothing.
    if (clockOffsetMs < least || clockOffsetMs > most) clockOffsetMs = least;
    throw error;
  }
}

/** Milliseconds. A lock is never awaited longer than an ordinary statement may run. */
const LOCK_TIMEOUT_MS = 5_000;

/** Begins a transaction that may take long. */
export const LIMITS_AT_LENGTH: Statement = {
  text: "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)",
  parameters: [AT_LENGTH.replyMs - 1_000, LOCK_TIMEOUT_MS],
};

/** PostgreSQL evaluates columns in order, so `QUEUED` sees what the call has done. */
export const resultStatement = ({ text, parameters }: Statement): Statement => ({
  text: `select ${text} as result, ${QUEUED}`,
  parameters,
});
