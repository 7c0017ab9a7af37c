import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant, reference } from "./columns.ts";
import { users } from "./people.ts";
import { tracks } from "./tracks.ts";

/** A user whom an operator suspended. `users.disabled_at` has the same time; users who left have no row here. */
export const suspensions = pgTable("suspensions", {
  userId: reference()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Shown to the user who tries to sign in. */
  reason: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/** A track that an operator took down. It is private meanwhile, and only its owner sees it. The file is kept. */
export const takedowns = pgTable(
  "takedowns",
  {
    trackId: reference()
      .primaryKey()
      .references(() => tracks.id, { onDelete: "cascade" }),
    /** Shown to the owner. */
    reason: text().notNull(),
    /** The sharing before the takedown, which applies again once the track is put back. */
    sharing: text({ enum: ["public", "private"] }).notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [check("takedowns_sharing", sql`${table.sharing} in ('public', 'private')`)],
);

/** Limits of a plan. Null, and a plan without a row, is no limit. */
export const planQuotas = pgTable(
  "plan_quotas",
  {
    plan: text({ enum: ["free", "artist", "artist-pro"] }).primaryKey(),
    /** All tracks together. */
    seconds: bigint({ mode: "number" }),
    /** Bytes of uploaded files, including running uploads. */
    bytes: bigint({ mode: "number" }),
    tracks: bigint({ mode: "number" }),
  },
  (table) => [
    check("plan_quotas_plan", sql`${table.plan} in ('free', 'artist', 'artist-pro')`),
    check("plan_quotas_limits", sql`least(${table.seconds}, ${table.bytes}, ${table.tracks}) >= 0`),
  ],
);

/** Limits of one user in place of the plan's. Null is the plan's limit, -1 none. */
export const userQuotas = pgTable(
  "user_quotas",
  {
    userId: reference()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    seconds: bigint({ mode: "number" }),
    bytes: bigint({ mode: "number" }),
    tracks: bigint({ mode: "number" }),
  },
  (table) => [
    check("user_quotas_limits", sql`least(${table.seconds}, ${table.bytes}, ${table.tracks}) >= -1`),
  ],
);

/** Reports of visitors and users, for operators. */
export const reports = pgTable(
  "reports",
  {
    id: id(),
    targetKind: text({ enum: ["user", "track", "playlist", "comment", "page"] }).notNull(),
    /** Null for pages that show no resource. A deleted resource keeps its id here. */
    targetId: reference(),
    url: text().notNull(),
    reason: text().notNull(),
    details: text().notNull(),
    /** Null for visitors, and once the reporter left. */
    reporterId: reference().references(() => users.id, { onDelete: "set null" }),
    email: text(),
    state: text({ enum: ["open", "resolved", "dismissed"] })
      .notNull()
      .default("open"),
    /** An operator's words about the outcome. */
    note: text(),
    settledAt: instant(),
  },
  (table) => [
    index("reports_open_idx").on(table.id).where(sql`${table.state} = 'open'`),
    index("reports_target_idx").on(table.targetKind, table.targetId),
    index("reports_reporter_id_idx").on(table.reporterId).where(sql`${table.reporterId} is not null`),
    check("reports_state", sql`${table.state} in ('open', 'resolved', 'dismissed')`),
    check(
      "reports_target_kind",
      sql`${table.targetKind} in ('user', 'track', 'playlist', 'comment', 'page')`,
    ),
  ],
);

/** Acts of operators, each written by the statement that does it. Rows outlive what they name. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    /** An operator's name, or the command line's user. */
    actor: text().notNull(),
    /** The operator's account; null on the command line. */
    actorId: reference(),
    act: text().notNull(),
    targetKind: text().notNull(),
    targetId: reference(),
    /** Name of the target at that time. */
    target: text(),
    reason: text(),
    details: jsonb().notNull().default({}),
  },
  (table) => [index("audit_log_target_idx").on(table.targetKind, table.targetId, table.id)],
);
