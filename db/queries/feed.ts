import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { posts } from "../schema/posts.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { showBeside } from "../show-beside.ts";
import { choiceOf, StoredSelect } from "../stored-select.ts";
import { type Caller, createdAt, type SignedIn } from "./caller.ts";
import { followedPosts, LOOKED_AT_MOST, offersTrack } from "./followed-posts.ts";
import { actor, miniActor } from "./mini-user.ts";
import { number } from "./show-parts.ts";
import { showPlaylists } from "./show-playlists.ts";
import { type ShownTrack, shownTo, showTracks } from "./show-tracks.ts";
import {
  idsBetween,
  isBetween,
  present,
  TIMELINE,
  type TimelinePage,
  timelineParameters,
  toTimeline,
} from "./timelines.ts";
import { documentQuery, fitting } from "./track-filters.ts";
import { type OrderedTracksQuery, type TrackList, toTrackList } from "./track-lists.ts";
import type { Access } from "./track-rows.ts";

export type PostKind = "track" | "track-repost" | "playlist" | "playlist-repost";

const isOfTrack = inArray(posts.kind, ["track", "track-repost"]);
const isRepost = inArray(posts.kind, ["track-repost", "playlist-repost"]);

const subjectIf = (condition: SQL) => number(sql`case when ${condition} then ${posts.subjectId} end`);

/**
 * Chooses a page of posts by users whom the reader follows. `posts` has only public posts, and the selects that show
 * their subjects check access. An empty page is one row without an id.
 */
export const feedPosts = new StoredSelect(
  "feed_posts",
  {
    session: "bigint",
    client: "text",
    user: "bigint",
    country: "text",
    kinds: "text[]",
    access: "text[]",
    ...TIMELINE,
  },
  (given, on) => {
    const found = followedPosts({
      user: given.user,
      ...idsBetween(given),
      among: and(sql`${posts.kind} = any (${given.kinds})`, isBetween(posts, given)),
      fits: sql`(${given.access} is null or not ${isOfTrack} or ${offersTrack(on, posts.subjectId, given)})`,
      wanted: given.most_rows,
    });
    return on
      .select({
        track_id: subjectIf(isOfTrack),
        playlist_id: subjectIf(sql`not ${isOfTrack}`),
        id: sql<number | null>`${posts.id}`.mapWith(Number),
        kind: sql<PostKind>`${posts.kind}`,
        posted_at: createdAt(posts.id),
        reposter: miniActor,
        ...present,
      })
      .from(sql`(values (1)) one`)
      .leftJoin(sql`${found} ${posts}`, sql`true`)
      .leftJoin(actor, and(eq(actor.id, posts.userId), isRepost))
      .where(sql`require_session(${given.session}, ${given.client}, ${given.user})`)
      .orderBy(desc(posts.id));
  },
);

type Subject = { track: ShownTrack } | { playlist: ShownPlaylist };
type ShownPlaylist = ReturnType<typeof showPlaylists.made.toRows>[number];

export interface FeedQuery {
  kinds: readonly PostKind[];
  /** Limits tracks by access. `undefined` means any. */
  access: Access[] | undefined;
  page: TimelinePage;
  country: string | undefined;
}

/** Lists posts of users that the caller follows, each with its track or playlist. */
export async function listFeed(db: Database, caller: Caller, asked: FeedQuery) {
  return toFeed(await db.read(feedReading(caller, asked)), asked.page);
}

/** Reads such a list, be it beside others. */
export function feedReading(caller: Caller, { kinds, access, page, country }: FeedQuery) {
  const reader = shownTo(caller, { secretHash: undefined, country });
  return showBeside(
    feedPosts.table({ ...reader, kinds, access: access ?? null, ...timelineParameters(page) }),
    (ids) => showTracks.table({ ids, ...reader }),
    (ids) => showPlaylists.table({ ids, ...reader, access: null, totals: true, track_ids: false }),
  );
}

type FeedRows = ReturnType<ReturnType<typeof feedReading>["toRows"]>;

/** Makes a page of the rows that were read. */
export function toFeed(rows: FeedRows, page: TimelinePage) {
  const list = toTimeline(
    rows.map(([post, track, playlist]) => ({ ...post, track, playlist })),
    page,
  );
  const withSubject = list.rows.flatMap(({ track, playlist, ...post }) => {
    const subject: Subject | undefined = track ? { track } : playlist && { playlist };
    return subject ? [{ ...post, subject }] : [];
  });
  return { ...list, rows: withSubject };
}
export type FeedRow = Awaited<ReturnType<typeof listFeed>>["rows"][number];

/** End of a page: id of the last track's post. */
export interface FollowedPosition {
  key: number;
}

/** Lists tracks of users that the caller follows, newest publication first. */
export async function listFollowedTracks(
  db: Database,
  caller: SignedIn,
  country: string | undefined,
  { filter, page: { limit, offset, ascending, key } }: OrderedTracksQuery<FollowedPosition>,
): Promise<TrackList<FollowedPosition>> {
  const reader = { userId: caller.userId, country };
  const query = documentQuery(filter, reader);
  const found = followedPosts({
    user: sql`${caller.userId}::bigint`,
    above: sql`${(ascending && key) || -1}::bigint`,
    below: sql`${(!ascending && key) || Number.MAX_SAFE_INTEGER}::bigint`,
    among: eq(posts.kind, "track"),
    fits: sql`exists (select from ${documents} where ${and(
      eq(documents.id, posts.subjectId),
      ...fitting(filter, reader),
      query && sql`${documents.document} @@ ${query}`,
    )})`,
    wanted: ascending ? LOOKED_AT_MOST : sql`${offset + limit + 1}::integer`,
  });
  const choice = choiceOf<{ key: number }>(
    sql`select ${posts.subjectId}, ${posts.id} from ${found} ${posts}
      order by ${ascending ? asc(posts.id) : desc(posts.id)} limit ${limit + 1} offset ${offset}`,
    ["key"],
  );
  const rows = await db.read(
    showTracks.chosenBy(choice, shownTo(caller, { secretHash: undefined, country })),
  );
  return toTrackList(rows, limit, ({ key }) => ({ key }));
}
