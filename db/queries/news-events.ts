import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { activities } from "../schema/activities.ts";
import { comments } from "../schema/comments.ts";
import { followings } from "../schema/followings.ts";
import { type NEWS_KINDS, news, newsSeen } from "../schema/news.ts";
import { users } from "../schema/people.ts";
import { posts } from "../schema/posts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder } from "../stored-select.ts";
import { isThere, there } from "./followed-posts.ts";
import { seesTrack } from "./visibility.ts";

export type NewsKind = (typeof NEWS_KINDS)[number];

export type EventKind = "like" | "repost" | "comment" | "reply" | "follow" | "share" | "track";

/** A look at what happened around a user. */
interface Look {
  user: SQL;
  kinds: readonly NewsKind[];
  /** Ends, as ids; neither is part of it. */
  above: SQL;
  below: SQL;
  /** Events of each source that are examined, from the newest. */
  most: number;
  /** Also tells of tracks of people whom the user follows, which the site shows in the feed. */
  withFollowed?: boolean;
}

/** Id of the newest event that the user has seen. */
export const seenBy = (user: SQL) =>
  sql<number>`coalesce((select ${newsSeen.seenId} from ${newsSeen} where ${newsSeen.userId} = ${user}), 0)`;

const opening = ({ user }: Look) => ({ user, secret_hash: sql`null::bytea` });

/** Matches an event on a track of somebody else that the user may see now. */
const seesSubject = (look: Look) =>
  isThere(
    builder
      .select(there)
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(sql`${tracks.id} = event.track_id`, ne(tracks.state, "failed"), seesTrack(opening(look)))),
  );

/** The same for a reply there, which others see only where the owner reveals comments. */
const seesThread = (look: Look) =>
  isThere(
    builder
      .select(there)
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(sql`${tracks.id} = event.track_id`, tracks.revealComments, seesTrack(opening(look)))),
  );

const actorStays = isThere(
  builder
    .select(there)
    .from(users)
    .where(and(sql`${users.id} = event.actor_id`, isNull(users.disabledAt))),
);

/**
 * Examined events of each source, whether the user still sees them or not. Each source walks its own index and ends after `most`,
 * whatever kinds are asked for, so that a popular user's page costs no more than others'.
 */
function examined(look: Look): SQL {
  const { user, kinds, above, below, most, withFollowed } = look;
  const asks = (kind: NewsKind) => kinds.includes(kind);
  const trackOfComment = sql`(select ${comments.trackId} from ${comments} where ${comments.id} = ${activities.commentId})`;
  const activity = (about: string, kind: SQL) => sql`(
    select ${about}::text as source, ${activities.id}, ${kind} as kind, ${activities.actorId},
      coalesce(${activities.favoredTrackId}, ${activities.sharedTrackId}, ${trackOfComment}) as track_id,
      null::bigint as playlist_id, ${activities.commentId}
    from ${activities} where ${activities.userId} = ${user} and ${activities.about} = ${about}
      and ${activities.id} < ${below} and ${activities.id} > ${above}
    order by ${activities.id} desc limit ${most})`;
  const said = sql`case when ${activities.commentId} is null then 'like' when ${activities.answers} then 'reply' else 'comment' end`;
  const isTrack = sql`${news.kind} = 'track-repost'`;
  const sources = [
    (asks("comments") || asks("likes")) && activity("own", said),
    asks("comments") && activity("conversation", sql`'reply'`),
    asks("tracks") && activity("shared", sql`'share'`),
    asks("likes") &&
      sql`(select 'news', ${news.id}, case ${news.kind} when 'playlist-like' then 'like' else 'repost' end, ${news.actorId},
        case when ${isTrack} then ${news.subjectId} end, case when not ${isTrack} then ${news.subjectId} end, null::bigint
      from ${news} where ${news.userId} = ${user} and ${news.id} < ${below} and ${news.id} > ${above}
      order by ${news.id} desc limit ${most})`,
    asks("followers") &&
      sql`(select 'followings', ${followings.id}, 'follow', ${followings.userId}, null::bigint, null::bigint, null::bigint
      from ${followings} where ${followings.followeeId} = ${user} and ${followings.id} < ${below} and ${followings.id} > ${above}
      order by ${followings.id} desc limit ${most})`,
    asks("tracks") &&
      withFollowed &&
      sql`(select 'posts', ${posts.id}, 'track', ${posts.userId}, ${posts.subjectId}, null::bigint, null::bigint
      from ${followings} join ${posts} on ${posts.userId} = ${followings.followeeId} and ${posts.kind} = 'track'
        and ${posts.id} < ${below} and ${posts.id} > ${above}
      where ${followings.userId} = ${user} order by ${posts.id} desc limit ${most})`,
  ].filter((source) => source !== false && source !== undefined);
  const columns = sql`(source, id, kind, actor_id, track_id, playlist_id, comment_id)`;
  return sql`select * from (${sql.join(sources, sql` union all `)}) event${columns}`;
}

const KINDS_OF: Record<NewsKind, EventKind[]> = {
  comments: ["comment", "reply"],
  followers: ["follow"],
  likes: ["like", "repost"],
  tracks: ["share", "track"],
};

/** Matches events of the asked kinds that the user may still see, done by people who are still there. */
const isNews = (look: Look): SQL => {
  const kinds = look.kinds.flatMap((kind) => KINDS_OF[kind]);
  return sql`${inArray(sql`event.kind`, kinds)} and ${actorStays} and case event.source
    when 'conversation' then ${seesThread(look)} when 'shared' then ${seesSubject(look)} when 'posts' then ${seesSubject(look)}
    else true end`;
};

/** Counts events, up to a hundred. */
export const newsCount = (look: Look): SQL<number> =>
  sql<number>`(select count(*) from (
    select from (${examined(look)}) event where ${isNews(look)} limit 100) event)`.mapWith(Number);

/** Ids begin at midnight, so their quotient is the day in UTC. */
const IDS_PER_DAY = sql.raw(String(86_400_000 * 4096));
const dayOf = (id: SQL) => sql`(${id} / ${IDS_PER_DAY})`;

/** Names of people and comments that a group shows. */
const SHOWN = sql.raw("3");

interface Grouping {
  /** Groups begin below this id of their newest event. */
  before: SQL;
  limit: number;
  /** Followers stand alone. */
  apart?: boolean;
}

/**
 * Groups events by kind, subject and day (UTC), newest first. The look is cut where a day begins, if it did not reach the end: a
 * group stands whole on one page, unless a source has more than `most` events on one day. `rest_below` is where the next look begins.
 */
export const newsGroups = (look: Look, { before, limit, apart = false }: Grouping): SQL => sql`(
  with event as materialized (${examined(look)}
  ), ended as materialized (
    select max(lowest) as id, (select max(id) from event) as newest
    from (select min(id) as lowest from event group by source having count(*) >= ${look.most}) source
  ), cut as materialized (
    select case when ${dayOf(sql`id`)} < ${dayOf(sql`newest`)} then (${dayOf(sql`id`)} + 1) * ${IDS_PER_DAY} else id end as id
    from ended
  ), done as (
    select kind, track_id, playlist_id, ${dayOf(sql`id`)} as day, actor_id, max(id) as newest, max(comment_id) as comment_id
    from event where id >= coalesce((select cut.id from cut), 0) and ${isNews(look)}
    group by 1, 2, 3, 4, 5
  ), grouped as (
    select kind, track_id, playlist_id, max(newest) as newest, count(*) as people,
      (array_agg(actor_id order by newest desc))[1:${SHOWN}] as actors,
      (array_agg(comment_id order by newest desc))[1:${SHOWN}] as comments
    from done group by kind, track_id, playlist_id, day, ${sql.raw(apart ? "actor_id" : "null::bigint")}
    having max(newest) < ${before}
    order by max(newest) desc limit ${limit}
  )
  select grouped.*, cut.id as rest_below from cut left join grouped on true)`;
