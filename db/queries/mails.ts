import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { mails } from "../schema/mails.ts";
import type { ReplyOf } from "../shape.ts";
import type { By } from "./moderation.ts";

const Mail = () => rowOf(mails).pick({ id: true, kind: true, recipient: true, failure: true });

export const BegunMail = () =>
  Mail()
    .pick({ kind: true, recipient: true })
    .extend({
      outcome: z.literal("begun"),
      /** Base64. */
      sealed: z.string().nullable(),
      facts: z.unknown(),
    });
export type BegunMail = ReplyOf<typeof BegunMail>;

/** Null if it is not due, already begun, or worthless by now. */
export const beginMail = (db: Database, id: number, attempt: string) =>
  db.call(
    "begin_mail",
    () => z.union([BegunMail(), z.strictObject({ outcome: z.literal("expired") })]).nullable(),
    {
      id,
      attempt,
    },
  );

/** Why a mail was not sent. */
export interface MailFailure {
  /** The provider's words. */
  failure: string;
  /** Another attempt would end the same way. */
  permanent: boolean;
}

const SettledMail = () =>
  z.strictObject({
    state: z.enum(["sent", ...mails.state.enumValues]),
    /** Null if no attempt follows. */
    retry_in_s: z.number().nullable(),
  });

/** Null if another attempt has taken over. */
export const settleMail = (db: Database, id: number, attempt: string, failed: MailFailure | undefined) =>
  db.call("settle_mail", () => SettledMail().nullable(), {
    id,
    attempt,
    failure: failed?.failure ?? null,
    permanent: failed?.permanent ?? false,
  });

/** Marks due mails as sent to the queue and returns their ids. */
export const dispatchMails = (db: Database, limit: number) =>
  db.call("dispatch_mails", () => z.array(z.number()), { limit });

export const ListedMail = () =>
  Mail().extend({
    ...rowOf(mails).pick({ state: true, tries: true, next_attempt_at: true }).shape,
    /** Null for mails to the operator. */
    user_id: z.number().nullable(),
    username: z.string().nullable(),
    queued_at: z.string(),
  });

export type ListedMail = ReplyOf<typeof ListedMail>;

export type MailState = (typeof mails.state.enumValues)[number];

/** Lists mails that are not sent, newest first, below the id `before`. */
export const listMails = (
  db: Database,
  { state, before, limit }: { state?: MailState | undefined; before?: number | undefined; limit: number },
) =>
  db.call("list_mails", () => z.array(ListedMail()), {
    state: state ?? null,
    before: before ?? null,
    limit,
  });

/**
 * Makes one mail due at once, or all that failed. Returns their ids. A mail with an expired link is not among them, nor one
 * that is being sent.
 */
export const retryMails = (db: Database, by: By, id: number | undefined) =>
  db.call("retry_mails", () => z.array(z.number()), { by, id: id ?? null });

/** Deletes one mail, or all that failed. Returns the number. */
export const dropMails = (db: Database, by: By, id: number | undefined) =>
  db.call("drop_mails", () => z.number(), { by, id: id ?? null });
