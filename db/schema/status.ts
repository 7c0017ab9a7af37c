import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";

/** Parts of the service, as people see them. */
export const STATUS_PARTS = ["database", "storage", "encoding", "webhooks", "posts", "mails"] as const;

/** Seconds of a day, in UTC, for which a part was measured in each condition. The rest was not measured. */
export const statusDays = pgTable(
  "status_days",
  {
    part: text({ enum: STATUS_PARTS }).notNull(),
    day: date().notNull(),
    worksS: integer().notNull(),
    lateS: integer().notNull(),
    failsS: integer().notNull(),
    measuredAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.part, table.day] })],
);

/** Operators' announcements about the service. They are over at `ends_at`, which maintenance has from the start. */
export const incidents = pgTable(
  "incidents",
  {
    id: id(),
    kind: text({ enum: ["incident", "maintenance"] }).notNull(),
    title: text().notNull(),
    parts: text({ enum: STATUS_PARTS }).array().notNull(),
    beginsAt: instant().notNull(),
    endsAt: instant(),
  },
  (table) => [
    check("incidents_kind", sql`${table.kind} in ('incident', 'maintenance')`),
    check("incidents_ends_at", sql`${table.kind} = 'incident' or ${table.endsAt} is not null`),
  ],
);

export const incidentUpdates = pgTable(
  "incident_updates",
  {
    id: id(),
    incidentId: reference()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    body: text().notNull(),
  },
  (table) => [index("incident_updates_incident_id_idx").on(table.incidentId, table.id)],
);
