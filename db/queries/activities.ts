import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { activities } from "../schema/activities.ts";
import { comments } from "../schema/comments.ts";
import { followings } from "../schema/followings.ts";
import { users } from "../schema/people.ts";
import { posts } from "../schema/posts.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { showBeside } from "../show-beside.ts";
import { StoredSelect } from "../stored-select.ts";
import { type Caller, createdAt, moment } from "./caller.ts";
import { followedPosts, isOffered, isThere, LOOKED_AT_MOST, offersTrack, there } from "./followed-posts.ts";
import { actor, miniActor, miniUser } from "./mini-user.ts";
import { showComments } from "./show-comments.ts";
import { number } from "./show-parts.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import {
  idsBetween,
  isBetween,
  present,
  TIMELINE,
  type TimelinePage,
  timelineParameters,
  toTimeline,
} from "./timelines.ts";
import type { Access } from "./track-rows.ts";

/**
 * `own` are events on the user's tracks, `tracks` made or shared ones. `affiliated` and `exclusive` are subsets of
 * `tracks`.
 */
export type ActivityKind = "all" | "own" | "tracks" | "affiliated" | "exclusive";

type ActivityType = "track" | "track-sharing" | "comment" | "favoriting";

/** Combines conditions, the cheapest first. PostgreSQL would make joins of a plain `and`. */
const inTurn = (...[first, ...rest]: (SQL | undefined)[]): SQL =>
  rest.length ? sql`case when ${first} then ${inTurn(...rest)} else false end` : sql`(${first}) is true`;

const isExclusive = (trackId: SQL | typeof activities.sharedTrackId) =>
  sql`(select count(*) <= 10 from (select from ${trackShares} where ${trackShares.trackId} = ${trackId} limit 11) shares)`;

/** Columns of an event. */
const event = {
  id: sql`event.id`,
  type: sql<ActivityType>`event.type`,
  about: sql`event.about`,
  actorId: sql`event.actor_id`,
  trackId: sql`event.track_id`,
  commentId: sql`event.comment_id`,
};

const hasTrack = inArray(event.type, ["track", "track-sharing"]);

/** Chooses a page of events around the reader. An empty page is one row, without an id. */
export const chosenActivities = new StoredSelect(
  "chosen_activities",
  {
    session: "bigint",
    client: "text",
    user: "bigint",
    country: "text",
    kind: "text",
    access: "text[]",
    ...TIMELINE,
  },
  (given, on) => {
    const { above, below } = idsBetween(given);
    const asks = (...kinds: ActivityKind[]) => inArray(given.kind, kinds);
    const finds = (table: PgTable, where: SQL | undefined) =>
      isThere(on.select(there).from(table).where(where));
    const follows = (id: SQL | typeof activities.actorId) =>
      finds(followings, and(eq(followings.userId, given.user), eq(followings.followeeId, id)));
    const actorStays = finds(users, and(eq(users.id, activities.actorId), isNull(users.disabledAt)));
    const isOpenThread = isThere(
      on
        .select(there)
        .from(comments)
        .innerJoin(tracks, eq(tracks.id, comments.trackId))
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(
          and(
            eq(comments.id, activities.commentId),
            tracks.revealComments,
            isOffered({ ...given, access: sql`null::text[]` }),
          ),
        ),
    );
    /** Each source walks its own index, and ends after the events that it may examine. */
    const eventsOf = (about: string, isAsked: SQL, sees: SQL) => sql`(
      select ${activities.id}, ${activities.about}, ${activities.actorId}, ${activities.commentId}, ${activities.answers},
        case when ${activities.sharedTrackId} is not null then 'track-sharing'
          when ${activities.commentId} is not null then 'comment' else 'favoriting' end as type,
        coalesce(${activities.favoredTrackId}, ${activities.sharedTrackId},
          (select ${comments.trackId} from ${comments} where ${comments.id} = ${activities.commentId})) as track_id
      from (
        select * from ${activities}
        where ${isAsked} and ${activities.userId} = ${given.user} and ${activities.about} = ${about}
          and ${activities.id} < ${below} and ${activities.id} > ${above} and ${isBetween(activities, given)}
        order by ${activities.id} desc limit ${LOOKED_AT_MOST}) ${activities}
      where ${sees} order by ${activities.id} desc limit ${given.most_rows})`;
    const isShared = finds(
      trackShares,
      and(eq(trackShares.trackId, posts.subjectId), eq(trackShares.userId, given.user)),
    );
    const followed = followedPosts({
      user: sql`case when ${asks("all", "tracks", "affiliated")} then ${given.user} end`,
      above,
      below,
      wanted: given.most_rows,
      among: and(eq(posts.kind, "track"), isBetween(posts, given)),
      fits: inTurn(
        sql`not ${isShared}`,
        sql`(${given.access} is null or ${offersTrack(on, posts.subjectId, given)})`,
      ),
    });
    const events = sql`(
      select * from (
        ${eventsOf("own", asks("all", "own"), inTurn(actorStays))}
        union all ${eventsOf("conversation", asks("all"), inTurn(actorStays, isOpenThread))}
        union all ${eventsOf(
          "shared",
          asks("all", "tracks", "affiliated", "exclusive"),
          inTurn(
            sql`(${given.kind} <> 'affiliated' or ${follows(activities.actorId)})`,
            sql`(${given.kind} <> 'exclusive' or ${isExclusive(activities.sharedTrackId)})`,
            actorStays,
            offersTrack(on, activities.sharedTrackId, given),
          ),
        )}
        union all (
          select ${posts.id}, 'followed', ${posts.userId}, null, false, 'track', ${posts.subjectId} from ${followed} ${posts})
      ) events order by events.id desc limit ${given.most_rows})`;
    const isFirst = sql`not exists (select from ${activities} where ${activities.userId} = ${given.user}
      and ${activities.actorId} = ${event.actorId} and ${activities.sharedTrackId} is not null and ${activities.id} < ${event.id})`;
    const isAffiliated = sql`(${event.about} = 'followed' or ${follows(event.actorId)})`;
    const isSharing = sql`${event.about} = 'shared'`;
    return on
      .select({
        shown_id: number(sql`case when ${hasTrack} then ${event.trackId} end`),
        comment_id: number(event.commentId),
        id: sql<number | null>`${event.id}`.mapWith(Number),
        type: event.type,
        created_at: createdAt(event.id),
        own: sql<boolean>`${event.about} = 'own'`,
        conversation: sql<boolean>`${event.about} = 'conversation' or event.answers`,
        affiliated: sql<boolean>`${isAffiliated}`,
        exclusive: sql<boolean>`${isSharing} and ${isExclusive(event.trackId)}`,
        first: sql<boolean>`${isSharing} and not ${isAffiliated} and ${isFirst}`,
        note: sql<string | null>`case when ${isSharing} then (select ${trackShares.note} from ${trackShares}
          where ${trackShares.trackId} = ${event.trackId} and ${trackShares.userId} = ${given.user}) end`,
        actor: miniActor,
        mini_track: {
          id: tracks.id,
          user_id: tracks.userId,
          title: tracks.title,
          permalink: tracks.permalink,
          artwork_version: sql<
            string | null
          >`case when ${tracks.takenDownAt} is null then ${tracks.artworkVersion} end`,
          artwork_colors: tracks.artworkColors,
          updated_at: moment<string>(tracks.updatedAt),
        },
        owner: miniUser,
        ...present,
      })
      .from(sql`(values (1)) one`)
      .leftJoin(sql`${events} event`, sql`true`)
      .leftJoin(actor, and(eq(actor.id, event.actorId), eq(event.type, "favoriting")))
      .leftJoin(tracks, and(eq(tracks.id, event.trackId), sql`not ${hasTrack}`))
      .leftJoin(users, eq(users.id, tracks.userId))
      .where(sql`require_session(${given.session}, ${given.client}, ${given.user})`)
      .orderBy(sql`${event.id} desc`);
  },
);

/** False if the reader does not see the activity's subject. */
const hasSubject = ({ type, track, comment }: { type: ActivityType; track: unknown; comment: unknown }) =>
  type === "favoriting" || (type === "comment" ? comment : track) !== undefined;

interface ActivityListQuery {
  kind: ActivityKind;
  /** Limits track activities by access. `undefined` means any. */
  access: Access[] | undefined;
  page: TimelinePage;
  country: string | undefined;
}

/** Reads a page of events around the caller with their subjects. */
export function activitiesOf(caller: Caller, { kind, access, page, country }: ActivityListQuery) {
  const reader = shownTo(caller, { secretHash: undefined, country });
  return showBeside(
    chosenActivities.table({ ...reader, kind, access: access ?? null, ...timelineParameters(page) }),
    (ids) => showTracks.table({ ids, ...reader }),
    (ids) => showComments.table({ ids, ...reader }),
  );
}

export async function listActivities(db: Database, caller: Caller, query: ActivityListQuery) {
  const rows = await db.read(activitiesOf(caller, query));
  const list = toTimeline(
    rows.map(([activity, track, comment]) => ({ ...activity, track, comment })),
    query.page,
  );
  return { ...list, rows: list.rows.filter(hasSubject) };
}
export type ActivityRow = Awaited<ReturnType<typeof listActivities>>["rows"][number];
