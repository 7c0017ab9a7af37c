import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bytes, id, instant, reference } from "./columns.ts";
import { users } from "./people.ts";

const MAIL_KINDS = [
  "confirm",
  "reset",
  "cancel",
  "address-changed",
  "password-changed",
  "token-made",
  "second-factor",
  "webhook-disabled",
  "report",
  "news",
  "podcast-code",
  "original-deleted",
  "removal",
  "app",
  "deprecation",
] as const;

/** Mails to send. A row is deleted when its mail was sent; a refused mail stays for the operator. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    /** Null for mails to the operator. */
    userId: reference().references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: MAIL_KINDS }).notNull(),
    recipient: text().notNull(),
    /** The mail's link, by its hash in `mail_tokens`. Without a valid link the mail is useless. */
    tokenHash: text(),
    expiresAt: instant(),
    /** The link's token or a report's words, encrypted. */
    sealed: bytes(),
    /** Further values for the text. */
    facts: jsonb(),
    state: text({ enum: ["waiting", "failed"] })
      .notNull()
      .default("waiting"),
    /** Attempts since the mail was queued or retried, including those that broke off. */
    tries: smallint().notNull().default(0),
    /** Id of the current attempt, so that one presumed lost settles nothing. */
    attempt: uuid(),
    nextAttemptAt: instant().defaultNow(),
    dispatchedAt: instant(),
    /** The provider's words about the last attempt. */
    failure: text(),
  },
  (table) => [
    index("mails_user_id_idx").on(table.userId),
    index("mails_due_idx").on(table.nextAttemptAt).where(sql`${table.state} = 'waiting'`),
    check("mails_state", sql`${table.state} in ('waiting', 'failed')`),
    check("mails_next_attempt_at", sql`(${table.state} = 'waiting') = (${table.nextAttemptAt} is not null)`),
  ],
);
