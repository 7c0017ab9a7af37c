import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import { comments, threadOf } from "../schema/comments.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, choiceOf, type Reading } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import type { CommentRow } from "./comments.ts";
import { showComments } from "./show-comments.ts";
import { isRevealed, openingOf, seesTrack } from "./visibility.ts";

/** Comments on a track that reply to each other. */
export interface Thread {
  /** The first comment's id. */
  id: number;
  /** The comment that began it. `undefined` once it is deleted or hidden. */
  first: CommentRow | undefined;
  /** The newest, oldest first. */
  replies: CommentRow[];
  /** Whether there are earlier replies. */
  hasEarlier: boolean;
}

export interface Threads {
  /** The newest first. */
  items: Thread[];
  /** The thread after which the list continues; null at its end. */
  next: number | null;
}

/** The threads that a page shows. */
export interface ThreadPage {
  /** Id of a comment: its thread alone is shown. */
  only?: number | undefined;
  /** The place after which the list continues: a thread, or with `only` a reply. */
  after?: number | undefined;
}

/** Threads of a page. */
const THREADS = 20;
/** Replies of a thread among others, and of one alone. */
const SOME_REPLIES = 6;
const MANY_REPLIES = 50;

const repliesOf = ({ only }: ThreadPage) => (only === undefined ? SOME_REPLIES : MANY_REPLIES);

/** Reads the comments of a track's threads, the newest thread first, and in each the oldest comment first. */
export function threadsOf(
  caller: Caller,
  track: SQL,
  secretHash: Uint8Array | undefined,
  page: ThreadPage,
): Reading<CommentRow> {
  const { only, after = Number.MAX_SAFE_INTEGER } = page;
  const opening = openingOf(caller.userId, secretHash);
  const author = builder
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, comments.userId), isNull(users.disabledAt)));
  const isSeen = and(isRevealed(opening.user), exists(author));
  const thread = threadOf(comments);
  const asked = sql`(select coalesce((select ${thread} from ${comments}
    where ${comments.id} = ${only ?? null}::bigint and ${comments.trackId} = ${tracks.id}), ${only ?? null}::bigint))`;
  const isAsked = only === undefined ? sql`true` : sql`${thread} = ${asked}`;
  // One look into the index for each thread, however many replies it has.
  const newest = (below: SQL) => sql`(select ${thread} from ${comments}
    where (${comments.trackId}, ${thread}) < (${tracks.id}, ${below}) and ${comments.trackId} >= ${tracks.id}
      and ${isAsked} and ${isSeen}
    order by ${comments.trackId} desc, ${thread} desc limit 1)`;
  const from = only === undefined ? sql`${after}::bigint` : sql`${asked} + 1`;
  const most = only === undefined ? THREADS + 1 : 1;
  const statement = sql`select said.id from ${tracks} join ${users} on ${users.id} = ${tracks.userId}
    cross join lateral (with recursive walk (thread, place) as (
      select ${newest(from)}, 1
      union all
      select ${newest(sql`walk.thread`)}, walk.place + 1 from walk where walk.thread is not null and walk.place < ${most}
    ) select walk.thread from walk where walk.thread is not null) walk
    cross join lateral (
      (select ${comments.id} from ${comments} where ${comments.id} = walk.thread and ${isSeen})
      union all
      (select ${comments.id} from ${comments}
        where ${comments.trackId} = ${tracks.id} and ${thread} = walk.thread and ${comments.parentId} is not null
          and ${comments.id} < ${only === undefined ? Number.MAX_SAFE_INTEGER : after}::bigint and ${isSeen}
        order by ${comments.id} desc limit ${repliesOf(page) + 1})) said
    where ${tracks.id} = ${track} and ${seesTrack(opening)}
    order by walk.thread desc, said.id`;
  return showComments.chosenBy(choiceOf(statement, []), sessionOf(caller));
}

/** Makes threads of what `threadsOf` read. */
export function toThreads(rows: CommentRow[], page: ThreadPage): Threads {
  const most = repliesOf(page);
  const threads = [...Map.groupBy(rows, ({ id, parent_id }) => parent_id ?? id)].map(([id, all]): Thread => {
    const replies = all.filter(({ parent_id }) => parent_id !== null);
    return {
      id,
      first: all.find((row) => row.parent_id === null),
      replies: replies.slice(-most),
      hasEarlier: replies.length > most,
    };
  });
  const last = threads[THREADS - 1];
  return { items: threads.slice(0, THREADS), next: last && threads.length > THREADS ? last.id : null };
}
