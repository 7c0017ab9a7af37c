import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, id, instant, reference } from "./columns.ts";
import { apps, users } from "./people.ts";

/** Where a user wants to be told of events. Secrets are sealed; the previous one signs too until its overlap ends. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** By whose token it was made. */
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    url: text().notNull(),
    /** SHA-256 of `url` as parsers write it: two that differ in spelling alone are one target. */
    targetHash: bytes().notNull(),
    /** What deliveries are counted by, whoever they are for. */
    targetHost: text().notNull(),
    events: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    /** Why we switched it off; null where the user did. */
    disabledReason: text(),
    /** When the first attempt failed of those since the last success. */
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

/** An event on its way to one webhook, and afterwards what became of it. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: reference()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    event: text().notNull(),
    /** What is told once, however often it happens: a like that was taken back and given again is no news. */
    subject: text(),
    /** As it was when it happened, so that nothing that changes or goes afterwards is missed. */
    data: jsonb().notNull(),
    state: text().notNull().default("pending"),
    /** Since it was accepted or replayed; one that broke off counts. */
    tries: smallint().notNull().default(0),
    /** The last attempts, the oldest first: `at`, `duration_ms`, `response_code`, `failure`. */
    attempts: jsonb().notNull().default([]),
    /** Names the attempt under way, so that one given up for lost settles nothing. */
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
    check("webhook_deliveries_state", sql`${table.state} in ('pending', 'delivered', 'failed')`),
    check(
      "webhook_deliveries_next_attempt_at",
      sql`(${table.state} = 'pending') = (${table.nextAttemptAt} is not null)`,
    ),
  ],
);
