import { sql } from "drizzle-orm";
import { date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { reference } from "./columns.ts";
import { apps } from "./people.ts";

/** The newest day on which an app used something that ends. Forgotten after 30 days. */
export const deprecatedUses = pgTable(
  "deprecated_uses",
  {
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    /** Id in the list of deprecations. */
    deprecation: text().notNull(),
    usedOn: date().notNull(),
  },
  (table) => [primaryKey({ columns: [table.appId, table.deprecation] })],
);

/** When an app's owner gets a mail: after the first use, and a month and a week before the end. */
export const NOTICES = ["announced", "month", "week"] as const;
export type Notice = (typeof NOTICES)[number];

/** Mails that were queued. Each is sent once. */
export const deprecationNotices = pgTable(
  "deprecation_notices",
  {
    appId: reference()
      .notNull()
      .references(() => apps.id, { onDelete: "cascade" }),
    deprecation: text().notNull(),
    notice: text({ enum: NOTICES }).notNull(),
    /** A day in UTC. */
    queuedOn: date().notNull().default(sql`(now() at time zone 'UTC')::date`),
  },
  (table) => [primaryKey({ columns: [table.appId, table.deprecation, table.notice] })],
);
