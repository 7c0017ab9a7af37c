import type { NeonQueryFunction } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { databaseFault, LATE } from "./faults.ts";

type Client = NeonQueryFunction<false, false>;

/** Limits of a statement: how long its reply is waited for, and by when, a second earlier, it must have ended. */
export interface Limits {
  replyMs: number;
  /** An interval in PostgreSQL's words. */
  within: string;
}

/** Milliseconds. The second between the two is for the commit and the reply's way. */
export const USUAL: Limits = { replyMs: 6_000, within: "5 seconds" };
export const AT_LENGTH: Limits = { replyMs: 120_000, within: "119 seconds" };

/** How far the database's clock is ahead of ours, as far as this isolate knows. Nearly always nothing. */
let aheadMs = 0;

/** The database's time now: what a deadline counts from. */
const sentAt = () => new Date(Date.now() + aheadMs).toISOString();

/** SQL with its parameters: a whole statement, or the expression that one evaluates. */
export interface Statement {
  text: string;
  parameters: readonly unknown[];
}

/** The same expression, unless it ends too late. The last parameter is the time of sending. */
export const inTime = ({ text, parameters }: Statement, { within }: Limits): Statement => ({
  text: `in_time(${text}, $${parameters.length + 1}, '${within}')`,
  parameters: [...parameters, sentAt()],
});

/** Checks the deadline at the end of a transaction of several statements. */
export const stillInTime = (client: Client, { within }: Limits) =>
  client.query("select in_time(true, $1, $2)", [sentAt(), within]);

/** The same for a batch of the query builder. */
export const checkedInTime = ({ within }: Limits) => sql`select in_time(true, ${sentAt()}, ${within})`;

/**
 * A statement that was late may have been late by a wrong clock alone. The database tells its time, which lies between the
 * statement's sending and its reply: where ours does not, ours is put right, and the statement may be sent again.
 */
export async function keepingTime<Result>(statement: () => Promise<Result>): Promise<Result> {
  const sent = Date.now();
  try {
    return await statement();
  } catch (error) {
    const fault = databaseFault(error);
    const databaseMs = fault?.sqlstate === LATE ? Number(fault.detail) : Number.NaN;
    const [least, most] = [databaseMs - Date.now(), databaseMs - sent];
    // The lesser bound: a deadline that comes too early loses nothing.
    if (aheadMs < least || aheadMs > most) aheadMs = least;
    throw error;
  }
}
