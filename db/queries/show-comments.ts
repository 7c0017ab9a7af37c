import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { comments } from "../schema/comments.ts";
import { counterDeltas } from "../schema/counters.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, StoredSelect } from "../stored-select.ts";
import { createdAt, moment } from "./caller.ts";
import { miniUser } from "./mini-user.ts";
import { askedIds, counted, pendingOf } from "./show-parts.ts";
import { isRevealed, seesTrack } from "./visibility.ts";

/** A page's comments, and one more that shows whether another follows. */
const MOST = 201;

/**
 * Matches comments on something, or of somebody, below an id. With `newestFirst` only the index of that reference fits: PostgreSQL
 * would read the comments on all tracks in the order of their ids for one that has most of them.
 */
export const isBelow = (reference: PgColumn, of: SQL | number, before: SQL | number) =>
  sql`(${reference}, ${comments.id}) < (${of}, ${before}) and ${reference} >= ${of}`;

export const newestFirst = (reference: PgColumn) => [desc(reference), desc(comments.id)];

/** Pending changes of an author's counters. One look into their index for each comment costs less than a join of all. */
export const pending = builder
  .select({
    followers: pendingOf("followers_count"),
    followings: pendingOf("followings_count"),
    reposts: pendingOf("reposts_count"),
  })
  .from(counterDeltas)
  .where(and(eq(counterDeltas.kind, "user"), eq(counterDeltas.subjectId, comments.userId)))
  .as("pending");

/** Columns of comments with their authors as they are today. `users` must be joined as the authors, and `pending`. */
export const shown = {
  id: comments.id,
  track_id: comments.trackId,
  user_id: comments.userId,
  created_at: createdAt(comments.id),
  updated_at: moment<string>(comments.updatedAt),
  body: comments.body,
  timestamp_ms: comments.timestampMs,
  parent_id: comments.parentId,
  user: {
    ...miniUser,
    followers_count: counted(users.followersCount, pending.followers),
    followings_count: counted(users.followingsCount, pending.followings),
    reposts_count: counted(users.repostsCount, pending.reposts),
  },
};

/** Shows comments in the order of `ids`, but none of authors who left. The choice of ids decides who sees them. */
export const showComments = new StoredSelect(
  "show_comments",
  { ids: "bigint[]", session: "bigint", client: "text", user: "bigint" },
  (given, on) => {
    const asked = askedIds(on, given.ids);
    return on
      .with(asked)
      .select(shown)
      .from(asked)
      .innerJoin(comments, eq(comments.id, asked.id))
      .innerJoin(users, eq(users.id, comments.userId))
      .innerJoinLateral(pending, sql`true`)
      .where(
        and(sql`require_session(${given.session}, ${given.client}, ${given.user})`, isNull(users.disabledAt)),
      )
      .orderBy(asked.place);
  },
);

/**
 * Shows a page of a track's comments, newest first. There is no row if the reader does not see the track, and one without a comment
 * if the page has none. If the owner reveals no comments, others see their own.
 */
export const showTrackComments = new StoredSelect(
  "show_track_comments",
  {
    session: "bigint",
    client: "text",
    user: "bigint",
    track: "bigint",
    secret_hash: "bytea",
    before: "bigint",
    offset: "integer",
    limit: "integer",
  },
  (given, on) => {
    const listed = on
      .select(getTableColumns(comments))
      .from(comments)
      .where(
        and(
          isBelow(comments.trackId, given.track, given.before),
          isRevealed(given.user),
          notExists(
            on
              .select({ id: users.id })
              .from(users)
              .where(and(eq(users.id, comments.userId), isNotNull(users.disabledAt))),
          ),
        ),
      )
      .orderBy(...newestFirst(comments.trackId))
      .limit(given.limit as never)
      .offset(given.offset as never)
      .as("listed");
    // A plan for any limit expects a tenth of all comments. This bound tells it otherwise. The name makes it stand for the table.
    const page = on.select().from(listed).limit(MOST).as("comments");
    return on
      .select(shown)
      .from(tracks)
      .leftJoinLateral(page, sql`true`)
      .leftJoin(users, eq(users.id, comments.userId))
      .leftJoinLateral(pending, sql`true`)
      .where(
        and(
          sql`require_session(${given.session}, ${given.client}, ${given.user})`,
          eq(tracks.id, given.track),
          exists(
            on
              .select({ id: users.id })
              .from(users)
              .where(and(eq(users.id, tracks.userId), seesTrack(given))),
          ),
        ),
      )
      .orderBy(desc(comments.id));
  },
);
