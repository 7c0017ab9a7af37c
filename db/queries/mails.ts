import { and, desc, eq, isNull, lte, or, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { mails } from "../schema/mails.ts";
import { users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import { type By, below, mayAct, mayRead, noted, type Operator, type Page } from "./acts.ts";
import { createdAt, moment, onlyRow } from "./caller.ts";

export const BegunMail = () =>
  rowOf(mails)
    .pick({ kind: true, recipient: true })
    .extend({
      outcome: z.literal("begun"),
      /** Base64. */
      sealed: z.string().nullable(),
      facts: z.unknown(),
    });
export type BegunMail = ReplyOf<typeof BegunMail>;

/** Null if it is not due, already begun, or worthless by now. `beginNewsMail` begins those of `news`. */
export const beginMail = (db: Database, id: number, attempt: string) =>
  db.call(
    "begin_mail",
    () => z.union([BegunMail(), z.strictObject({ outcome: z.enum(["expired", "news"]) })]).nullable(),
    {
      id,
      attempt,
    },
  );

/** Why a mail was not sent. */
export interface MailFailure {
  /** The provider's words. */
  failure: string;
  /** True if another attempt would fail the same way. */
  permanent: boolean;
}

/** Seconds after each attempt, sixteen hours in all. Greylisting wants some minutes. */
const WAITS_S = [10, 60, 300, 900, 1800, 3600, 7200, 14400, 28800];

/**
 * Records an attempt's end: a sent mail is deleted. `retry_in_s` is null if no attempt follows. `undefined` if another attempt
 * has taken over or the mail is gone.
 */
export async function settleMail(db: Database, id: number, attempt: string, failed: MailFailure | undefined) {
  const own = and(eq(mails.id, id), eq(mails.attempt, attempt));
  if (!failed) {
    const [sent] = await db.write((on) => on.delete(mails).where(own).returning({ id: mails.id }));
    return sent && { state: "sent" as const, retry_in_s: null };
  }
  // Jitter separates mails that failed together. Null after the last attempt.
  const wait = failed.permanent
    ? sql`null::float8`
    : sql`(array[${sql.raw(String(WAITS_S))}])[${mails.tries}] * ${1 + Math.random() / 5}::float8`;
  const next = sql`now() + make_interval(secs => ${wait})`;
  const [settled] = await db.write((on) =>
    on
      .update(mails)
      .set({
        attempt: null,
        failure: sql`left(${failed.failure}, 1000)`,
        state: sql`case when ${wait} is null then 'failed' else 'waiting' end`,
        nextAttemptAt: sql`case when ${wait} is not null then least(${next}, ${mails.expiresAt}) end`,
        dispatchedAt: sql`case when ${wait} < 60 then ${next} end`,
      })
      .where(own)
      .returning({ state: mails.state, retry_in_s: sql<number | null>`${wait}` }),
  );
  return settled;
}

/**
 * Marks due mails as sent to the queue and returns their ids. New ones were sent at once, so they are due here only after some
 * seconds. One whose message was lost is sent again after a minute.
 */
export const dispatchMails = (db: Database, limit: number): Promise<number[]> =>
  db
    .write((on) => {
      const isNew = and(isNull(mails.dispatchedAt), eq(mails.tries, 0));
      const due = on
        .select({ id: mails.id })
        .from(mails)
        .where(
          and(
            eq(mails.state, sql`'waiting'`),
            lte(mails.nextAttemptAt, sql`now()`),
            sql`case when ${isNew} then ${mails.nextAttemptAt} < now() - interval '5 seconds'
              else (${mails.dispatchedAt} < now() - interval '1 minute') is not false end`,
          ),
        )
        .orderBy(mails.nextAttemptAt)
        .limit(limit)
        .for("update", { skipLocked: true });
      return on
        .update(mails)
        .set({ dispatchedAt: sql`now()` })
        .where(sql`${mails.id} = any (array(${due}))`)
        .returning({ id: mails.id });
    })
    .then((rows) => rows.map(({ id }) => id));

const listed = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  /** Null for mails to the operator. */
  user_id: mails.userId,
  username: users.username,
  state: mails.state,
  tries: mails.tries,
  next_attempt_at: moment<string | null>(mails.nextAttemptAt),
  failure: mails.failure,
  queued_at: createdAt(mails.id),
};

type MailState = (typeof mails.state.enumValues)[number];

/** Lists mails that are not sent, newest first. */
export const listMails = (
  db: Database,
  operator: Operator,
  state: MailState | undefined,
  { before, limit }: Page,
) =>
  db.read((on) =>
    on
      .select(listed)
      .from(mails)
      .leftJoin(users, eq(users.id, mails.userId))
      .where(and(mayRead(operator), below(mails.id, before), state && eq(mails.state, state)))
      .orderBy(desc(mails.id))
      .limit(limit),
  );

export type ListedMail = Awaited<ReturnType<typeof listMails>>[number];

/** Acts on one mail, or on all that failed. Returns their ids. */
const actOnMails = (db: Database, by: By, act: "retry" | "drop", id: number | undefined) =>
  db
    .write((on) => {
      const isMeant = and(mayAct(by), id === undefined ? eq(mails.state, "failed") : eq(mails.id, id));
      // The link in it may have expired, and an attempt that is running would send it twice.
      const isSendable = and(
        sql`(${mails.expiresAt} <= now()) is not true`,
        or(isNull(mails.attempt), lte(mails.nextAttemptAt, sql`now()`)),
      );
      const returned = { id: mails.id, kind: mails.kind, user: mails.userId };
      const changed = on.$with("changed").as(
        act === "drop"
          ? on.delete(mails).where(isMeant).returning(returned)
          : on
              .update(mails)
              .set({
                state: "waiting",
                tries: 0,
                attempt: null,
                nextAttemptAt: sql`now()`,
                dispatchedAt: null,
              })
              .where(and(isMeant, isSendable))
              .returning(returned),
      );
      // Addresses are left out: the log outlives users.
      const [name, user] =
        id === undefined
          ? [sql`count(*) || ' failed mails'`, sql`null`]
          : [sql`min(${changed.kind})`, sql`min(${changed.user})`];
      const details = sql`jsonb_build_object('mails', count(*), 'user', ${user})`;
      const written = noted(by, `mail.${act}`, { kind: "mail", id: id ?? null, name }, details);
      return on
        .with(changed)
        .select({
          ids: sql<number[]>`coalesce(json_agg(${changed.id}), '[]')`,
          noted: sql`case when count(*) > 0 then ${written} end`,
        })
        .from(changed);
    })
    .then((rows) => onlyRow(rows).ids);

/** Makes mails due at once, except those with an expired link or a running attempt. */
export const retryMails = (db: Database, by: By, id: number | undefined) => actOnMails(db, by, "retry", id);

/** Deletes mails and returns their number. */
export const dropMails = async (db: Database, by: By, id: number | undefined) =>
  (await actOnMails(db, by, "drop", id)).length;
