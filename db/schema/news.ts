import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, reference } from "./columns.ts";
import { accounts } from "./people.ts";

/**
 * Reposts of a user's tracks, and likes and reposts of their sets. Activities, which the API lists, have no place for
 * them. Triggers write and delete them together with the event. No foreign keys, like `activities`.
 */
export const news = pgTable(
  "news",
  {
    /** Id of the repost or favorite. */
    id: bigint({ mode: "number" }).primaryKey(),
    userId: reference().notNull(),
    kind: text({ enum: ["track-repost", "playlist-like", "playlist-repost"] }).notNull(),
    actorId: reference().notNull(),
    subjectId: reference().notNull(),
  },
  (table) => [
    index("news_user_id_idx").on(table.userId, table.id),
    check("news_kind", sql`${table.kind} in ('track-repost', 'playlist-like', 'playlist-repost')`),
  ],
);

/** The newest event that a user has seen among their notifications. Without a row everything is new. */
export const newsSeen = pgTable("news_seen", {
  userId: reference()
    .primaryKey()
    .references(() => accounts.userId, { onDelete: "cascade" }),
  seenId: bigint({ mode: "number" }).notNull(),
});

/** Kinds of news that mails tell of. */
export const NEWS_KINDS = ["comments", "followers", "likes", "tracks"] as const;

/** A mail of one kind comes at once, the daily one tells of several. */
export const NEWS_MAILS = [...NEWS_KINDS, "daily"] as const;

/** The mails about news that a user wants. Without a row there are none. */
export const newsMails = pgTable(
  "news_mails",
  {
    userId: reference()
      .notNull()
      .references(() => accounts.userId, { onDelete: "cascade" }),
    mail: text({ enum: NEWS_MAILS }).notNull(),
    kinds: text({ enum: NEWS_KINDS }).array().notNull(),
    /** The newest event that was looked at. */
    lookedId: bigint({ mode: "number" }).notNull(),
    nextLookAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.mail] }),
    index("news_mails_next_look_at_idx").on(table.nextLookAt),
    check("news_mails_mail", sql`${table.mail} in ('comments', 'followers', 'likes', 'tracks', 'daily')`),
    check("news_mails_kinds", sql`${table.kinds} <@ '{comments,followers,likes,tracks}'::text[]`),
  ],
);
