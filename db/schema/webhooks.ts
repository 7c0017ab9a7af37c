import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, id, instant, newId, reference } from "./columns.ts";
import { apps, users } from "./people.ts";

/** Webhooks of a user. Secrets are encrypted; the previous one signs too until its overlap ends. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The app whose token made it. */
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    /**
     * The personal token that made it or last changed it, and with which it ends: a session, which is deleted first. Null for
     * other apps, and for older ones.
     */
    tokenId: reference(),
    url: text().notNull(),
    /** SHA-256 of the parsed `url`. Two spellings of one URL are one target. */
    targetHash: bytes().notNull(),
    /** Host that a delivery budget counts by, whoever owns the webhook. */
    targetHost: text().notNull(),
    events: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    /** Our reason for disabling it; null if the user did. */
    disabledReason: text({ enum: ["failing", "gone", "access_ended"] }),
    /** The target took longer than a first attempt may. Its attempts may last longer, and few run at once. */
    slow: boolean().notNull().default(false),
    /** Time of the first failure since the last success. */
    failingSince: instant(),
    secretSealed: bytes().notNull(),
    previousSecretSealed: bytes(),
    previousSecretExpiresAt: instant(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index("webhooks_user_id_idx").on(table.userId, table.id),
    index("webhooks_app_id_idx").on(table.appId),
    unique("webhooks_user_id_app_id_target_hash_key").on(table.userId, table.appId, table.targetHash),
    check("webhooks_disabled_reason", sql`${table.disabledReason} in ('failing', 'gone', 'access_ended')`),
  ],
);

/** An event for one webhook, and later the record of its delivery. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: reference()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** The event's id, which its other deliveries and the user's log share. Null for an event of this delivery alone. */
    eventId: reference(),
    event: text().notNull(),
    /** A subject that is reported only once. A favorite that is withdrawn and added again is not reported again. */
    subject: text(),
    /** Facts at the time of the event. Later changes and deletions do not affect them. */
    data: jsonb().notNull(),
    state: text({ enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    /** Attempts since acceptance or replay, including those that broke off. */
    tries: smallint().notNull().default(0),
    /** The last attempts, oldest first: `at`, `duration_ms`, `response_code`, `failure`. */
    attempts: jsonb().notNull().default([]),
    /** Id of the current attempt, so that one presumed lost settles nothing. It is lost when `next_attempt_at` has passed. */
    attempt: uuid(),
    nextAttemptAt: instant().defaultNow(),
    dispatchedAt: instant(),
  },
  (table) => [
    unique("webhook_deliveries_told_once").on(table.webhookId, table.event, table.subject),
    index("webhook_deliveries_webhook_id_idx").on(table.webhookId, table.id),
    index("webhook_deliveries_due_idx")
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`${table.state} = 'pending'`),
    index("webhook_deliveries_running_idx").on(table.webhookId).where(sql`${table.attempt} is not null`),
    index("webhook_deliveries_failed_idx").on(table.id).where(sql`${table.state} = 'failed'`),
    check("webhook_deliveries_state", sql`${table.state} in ('pending', 'delivered', 'failed')`),
    check(
      "webhook_deliveries_next_attempt_at",
      sql`(${table.state} = 'pending') = (${table.nextAttemptAt} is not null)`,
    ),
  ],
);

/** Users whose events are logged, because they opened a stream of events within the last day. */
export const eventStreams = pgTable("event_streams", {
  userId: reference()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  openedAt: instant().notNull().defaultNow(),
  /** Number of the last event, or of the moment when the log began. */
  last: newId(),
  /** The open streams, oldest first. */
  open: bigint({ mode: "number" }).array().notNull().default([]),
});

/** An event of one user, for streams to read. It stays for a day, so that a stream resumes. */
export const streamEvents = pgTable(
  "stream_events",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => eventStreams.userId, { onDelete: "cascade" }),
    event: text().notNull(),
    /** A subject that is reported only once, as in a delivery. */
    subject: text(),
    data: jsonb().notNull(),
    /**
     * The event's id on the wire. Orders the user's events by their commits. Row ids are assigned before, and a later
     * one may be committed first.
     */
    number: newId(),
    /** Number of the previous event. A client that has that event has missed none. */
    previous: reference(),
  },
  (table) => [
    unique("stream_events_told_once").on(table.userId, table.event, table.subject),
    index("stream_events_number_idx").on(table.userId, table.number),
  ],
);
