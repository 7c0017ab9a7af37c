import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { activities } from "../schema/activities.ts";
import { comments } from "../schema/comments.ts";
import { credits } from "../schema/credits.ts";
import { followings } from "../schema/followings.ts";
import { type NEWS_KINDS, news, newsSeen } from "../schema/news.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { posts } from "../schema/posts.ts";
import { tracks } from "../schema/tracks.ts";
import { builder } from "../stored-select.ts";
import { followedPosts, isThere, there } from "./followed-posts.ts";
import { isVisiblePlaylist, seesTrack } from "./visibility.ts";

export type NewsKind = (typeof NEWS_KINDS)[number];

export type EventKind = "like" | "repost" | "comment" | "reply" | "follow" | "share" | "release" | "credit";

/** A look at what happened around a user. */
interface Look {
  user: SQL;
  kinds: readonly NewsKind[];
  /** Ends, as ids; neither is part of it. */
  above: SQL;
  below: SQL;
  /** Events of each source that are examined, from the newest. */
  most: number;
  /**
   * Also tells what people published whom the user follows: `all` of it, or the `newest`, which a look without a lower end finds by
   * walking the feed. The count leaves it out, because the feed shows it.
   */
  followed?: "all" | "newest";
}

/** Id of the newest event that the user has seen. */
export const seenBy = (user: SQL) =>
  sql<number>`coalesce((select ${newsSeen.seenId} from ${newsSeen} where ${newsSeen.userId} = ${user}), 0)`;

const opening = ({ user }: Look) => ({ user, secret_hash: sql`null::bytea` });

/** Publications that the newest are. */
const NEWEST_FOLLOWED = 300;

const mostFollowed = ({ followed, most }: Look) =>
  sql.raw(String(followed === "newest" ? NEWEST_FOLLOWED : most));

/** Tracks and sets of the followed, as their triggers posted them. */
function followedEvents(look: Look): SQL | undefined {
  const { user, above, below, followed } = look;
  if (!followed) return undefined;
  const among = inArray(posts.kind, ["track", "playlist"]);
  const found =
    followed === "newest"
      ? followedPosts({
          user,
          above,
          below,
          among,
          fits: sql`true`,
          wanted: mostFollowed(look),
        })
      : sql`(select ${posts}.* from ${followings} join ${posts} on ${posts.userId} = ${followings.followeeId} and ${among}
          and ${posts.id} < ${below} and ${posts.id} > ${above}
        where ${followings.userId} = ${user} order by ${posts.id} desc limit ${mostFollowed(look)})`;
  const isTrack = sql`post.kind = 'track'`;
  return sql`(select 'posts', post.id, 'release', post.user_id, case when ${isTrack} then post.subject_id end,
    case when not ${isTrack} then post.subject_id end, null::bigint from ${found} post)`;
}

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

/** The same for a track or set that somebody published. */
const seesRelease = (look: Look) =>
  sql`case when event.playlist_id is null then ${seesSubject(look)} else ${isThere(
    builder
      .select(there)
      .from(playlists)
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(and(sql`${playlists.id} = event.playlist_id`, isVisiblePlaylist(opening(look)))),
  )} end`;

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
  const { user, kinds, above, below, most } = look;
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
    asks("tracks") &&
      sql`(select 'credits', ${credits.id}, 'credit', (select ${tracks.userId} from ${tracks} where ${tracks.id} = ${credits.trackId}),
        ${credits.trackId}, null::bigint, null::bigint
      from ${credits} where ${credits.userId} = ${user} and ${credits.roles} is not null and ${credits.state} <> 'declined'
        and ${credits.id} < ${below} and ${credits.id} > ${above}
      order by ${credits.id} desc limit ${most})`,
    asks("likes") &&
      sql`(select 'news', ${news.id}, case ${news.kind} when 'playlist-like' then 'like' else 'repost' end, ${news.actorId},
        case when ${isTrack} then ${news.subjectId} end, case when not ${isTrack} then ${news.subjectId} end, null::bigint
      from ${news} where ${news.userId} = ${user} and ${news.id} < ${below} and ${news.id} > ${above}
      order by ${news.id} desc limit ${most})`,
    asks("followers") &&
      sql`(select 'followings', ${followings.id}, 'follow', ${followings.userId}, null::bigint, null::bigint, null::bigint
      from ${followings} where ${followings.followeeId} = ${user} and ${followings.id} < ${below} and ${followings.id} > ${above}
      order by ${followings.id} desc limit ${most})`,
    asks("tracks") && followedEvents(look),
  ].filter((source) => source !== false && source !== undefined);
  const columns = sql`(source, id, kind, actor_id, track_id, playlist_id, comment_id)`;
  return sql`select * from (${sql.join(sources, sql` union all `)}) event${columns}`;
}

const KINDS_OF: Record<NewsKind, EventKind[]> = {
  comments: ["comment", "reply"],
  followers: ["follow"],
  likes: ["like", "repost"],
  tracks: ["share", "release", "credit"],
};

/** Matches events of the asked kinds that the user may still see, done by people who are still there. */
const isNews = (look: Look): SQL => {
  const kinds = look.kinds.flatMap((kind) => KINDS_OF[kind]);
  return sql`${inArray(sql`event.kind`, kinds)} and ${actorStays} and case event.source
    when 'conversation' then ${seesThread(look)} when 'shared' then ${seesSubject(look)} when 'posts' then ${seesRelease(look)}
    when 'credits' then ${seesSubject(look)}
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
  /** Publications are grouped by person. Otherwise a day has one group of all. */
  byPerson?: boolean;
}

/**
 * Groups events by kind, subject and day (UTC), newest first. The look is cut where a day begins, if it did not reach the end: a
 * group stands whole on one page, unless a source has more than `most` events on one day. `rest_below` is where the next look begins.
 * Publications of a day are one group, whose subject is the latest of `things`.
 */
export const newsGroups = (
  look: Look,
  { before, limit, apart = false, byPerson = false }: Grouping,
): SQL => sql`(
  with event as materialized (${examined(look)}
  ), ended as materialized (
    select max(lowest) as id, (select max(id) from event) as newest
    from (select min(id) as lowest from event group by source
      having count(*) >= case source when 'posts' then ${mostFollowed(look)} else ${sql.raw(String(look.most))} end) source
  ), cut as materialized (
    select case when ${dayOf(sql`id`)} < ${dayOf(sql`newest`)} then (${dayOf(sql`id`)} + 1) * ${IDS_PER_DAY} else id end as id
    from ended
  ), done as (
    select kind, (case when kind <> 'release' then (track_id, playlist_id) end)::text as subject, ${dayOf(sql`id`)} as day, actor_id,
      max(id) as newest, max(comment_id) as comment_id, count(*) as things, (array_agg(track_id order by id desc))[1] as track_id,
      (array_agg(playlist_id order by id desc))[1] as playlist_id
    from event where id >= coalesce((select cut.id from cut), 0) and ${isNews(look)}
    group by 1, 2, 3, 4
  ), grouped as (
    select kind, (array_agg(track_id order by newest desc))[1] as track_id, (array_agg(playlist_id order by newest desc))[1] as playlist_id,
      max(newest) as newest, count(*) as people, sum(things)::integer as things,
      (array_agg(actor_id order by newest desc))[1:${SHOWN}] as actors,
      (array_agg(comment_id order by newest desc))[1:${SHOWN}] as comments
    from done group by kind, subject, day, case when ${sql.raw(`${apart} or ${byPerson}`)} and kind = 'release' then actor_id end
    having max(newest) < ${before}
    order by max(newest) desc limit ${limit}
  )
  select grouped.*, cut.id as rest_below from cut left join grouped on true)`;
