import { and, asc, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "../client.ts";
import { comments } from "../schema/comments.ts";
import { credits } from "../schema/credits.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import {
  playlistInsights,
  trackBreakdowns,
  trackInsights,
  userBreakdowns,
  userInsights,
} from "../schema/insights.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { userPlays } from "../schema/plays.ts";
import { podcastImports } from "../schema/podcast-imports.ts";
import { chapters, episodes, podcasts, transcripts } from "../schema/podcasts.ts";
import { reposts } from "../schema/reposts.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { createdAt, object, without } from "./exported-parts.ts";
import { COUNTS } from "./insights.ts";

/** The long parts of an account's export: lists, which are read in pieces. */

/** A list that may be long. */
export interface List {
  name: string;
  from: PgTable;
  isTheirs: (on: Reader, user: SQLWrapper) => SQL | undefined;
  /** Unique within the list. */
  order: (PgColumn | SQL)[];
  item: SQLWrapper;
  /** Rows that a piece has at most. */
  most: number;
}

const listOf = (name: string, owner: PgColumn, order: PgColumn, item: SQLWrapper, most = 10_000): List => ({
  name,
  from: order.table as PgTable,
  isTheirs: (_on, user) => eq(owner, user),
  order: [order],
  item,
  most,
});

/** A list of favorites and the like with their times. */
const datedRows = (
  name: string,
  table: { id: PgColumn; userId: PgColumn },
  fields: Record<string, PgColumn>,
): List => listOf(name, table.userId, table.id, object({ ...fields, since: createdAt(table.id) }));

const publishedAt = (of: Record<"sharing" | "wasPublic" | "publishedId", PgColumn>) =>
  sql`case when ${of.sharing} = 'public' or ${of.wasPublic} then ${createdAt(of.publishedId)} end`;

const INTERNAL = ["secret_hash", "secret_sealed", "published_id", "was_public", "sanitizer_version"];

const episode = sql`(select ${without(episodes, "track_id")} from ${episodes}
  where ${eq(episodes.trackId, tracks.id)})`;

const podcast = sql`(select ${without(podcasts, "playlist_id")} from ${podcasts}
  where ${eq(podcasts.playlistId, playlists.id)})`;

const trackIds = sql`array(select ${playlistTracks.trackId} from ${playlistTracks}
  where ${eq(playlistTracks.playlistId, playlists.id)} order by ${asc(playlistTracks.position)})`;

/** Texts beside tracks, which take up to a megabyte each. */
const besideTracks = (
  name: string,
  table: typeof transcripts | typeof chapters,
  fields: Record<string, PgColumn>,
): List => ({
  name,
  from: table,
  isTheirs: (on, user) =>
    inArray(table.trackId, on.select({ id: tracks.id }).from(tracks).where(eq(tracks.userId, user))),
  order: [table.trackId],
  item: object({ track_id: table.trackId, ...fields, updated_at: table.updatedAt }),
  most: 8,
});

type Insights = typeof userInsights | typeof trackInsights | typeof playlistInsights;

const isDay = ({ grain }: Record<"grain", PgColumn>) => eq(grain, sql`'day'`);

/** Figures of a day. */
const dayOf = (table: Insights, others: Record<string, SQLWrapper> = {}) =>
  object({
    day: sql`to_char(${table.startedAt} at time zone 'UTC', 'YYYY-MM-DD')`,
    ...Object.fromEntries(COUNTS.map((count) => [count, table[count]])),
    ...others,
  });

const listenersOf = (
  breakdowns: typeof userBreakdowns | typeof trackBreakdowns,
  isTheirs: SQL,
  of: Insights,
) =>
  sql`coalesce((select ${breakdowns.listenerCount} from ${breakdowns} where ${isTheirs}
    and ${breakdowns.dimension} = 'all' and ${isDay(breakdowns)} and ${eq(breakdowns.startedAt, of.startedAt)}), 0)`;

/** The days of each track or playlist that has some, oldest first. */
function insightsOfEach(
  name: string,
  of: typeof tracks | typeof playlists,
  table: Insights,
  id: PgColumn,
  day: SQLWrapper,
): List {
  const days = sql`from ${table} where ${eq(id, of.id)} and ${isDay(table)}`;
  return {
    name: `${name}_insights`,
    from: of,
    isTheirs: (_on, user) => and(eq(of.userId, user), sql`exists (select ${days})`),
    order: [of.id],
    item: object({
      [`${name}_id`]: of.id,
      days: sql`(select jsonb_agg(${day} order by ${table.startedAt}) ${days})`,
    }),
    most: 20,
  };
}

const INSIGHTS: List[] = [
  {
    name: "insights",
    from: userInsights,
    isTheirs: (_on, user) => and(eq(userInsights.userId, user), isDay(userInsights)),
    order: [sql`extract(epoch from ${userInsights.startedAt})::bigint`],
    item: dayOf(userInsights, {
      listeners: listenersOf(userBreakdowns, eq(userBreakdowns.userId, userInsights.userId), userInsights),
    }),
    most: 1_000,
  },
  insightsOfEach(
    "track",
    tracks,
    trackInsights,
    trackInsights.trackId,
    dayOf(trackInsights, {
      listeners: listenersOf(
        trackBreakdowns,
        eq(trackBreakdowns.trackId, trackInsights.trackId),
        trackInsights,
      ),
    }),
  ),
  insightsOfEach(
    "playlist",
    playlists,
    playlistInsights,
    playlistInsights.playlistId,
    dayOf(playlistInsights),
  ),
];

/** Tracks have long descriptions, and playlists many tracks. */
export const LISTS: List[] = [
  listOf(
    "tracks",
    tracks.userId,
    tracks.id,
    sql`${without(tracks, ...INTERNAL, "original_key", "media_prefix", "media")}
      || ${object({ created_at: createdAt(tracks.id), published_at: publishedAt(tracks), episode })}`,
    100,
  ),
  listOf(
    "playlists",
    playlists.userId,
    playlists.id,
    sql`${without(playlists, ...INTERNAL, "favoritings_count")} || ${object({
      created_at: createdAt(playlists.id),
      published_at: publishedAt(playlists),
      likes_count: playlists.favoritingsCount,
      track_ids: trackIds,
      podcast,
    })}`,
    100,
  ),
  besideTracks("transcripts", transcripts, { language: transcripts.language, cues: transcripts.cues }),
  besideTracks("chapters", chapters, { chapters: chapters.chapters, source: chapters.source }),
  listOf(
    "podcast_imports",
    podcastImports.userId,
    podcastImports.id,
    sql`${without(podcastImports, "app_id", "code_hash", "next_run_at")} || ${object({ created_at: createdAt(podcastImports.id) })}`,
    100,
  ),
  ...INSIGHTS,
  datedRows("favorites", favorites, { track_id: favorites.trackId }),
  datedRows("reposts", reposts, { track_id: reposts.trackId }),
  datedRows("playlist_likes", playlistFavorites, { playlist_id: playlistFavorites.playlistId }),
  datedRows("playlist_reposts", playlistReposts, { playlist_id: playlistReposts.playlistId }),
  {
    name: "shares",
    from: trackShares,
    isTheirs: (on, user) =>
      inArray(trackShares.trackId, on.select({ id: tracks.id }).from(tracks).where(eq(tracks.userId, user))),
    order: [trackShares.trackId, trackShares.userId],
    item: object({
      track_id: trackShares.trackId,
      user_id: trackShares.userId,
      note: trackShares.note,
      since: createdAt(trackShares.id),
    }),
    most: 1_000,
  },
  datedRows("shared_with_you", trackShares, { track_id: trackShares.trackId, note: trackShares.note }),
  datedRows("credits", credits, { track_id: credits.trackId, state: credits.state, roles: credits.roles }),
  listOf(
    "comments",
    comments.userId,
    comments.id,
    sql`${without(comments, "user_id", "sanitizer_version")} || ${object({ created_at: createdAt(comments.id) })}`,
    1_000,
  ),
  datedRows("followings", followings, { user_id: followings.followeeId }),
  listOf(
    "plays",
    userPlays.userId,
    userPlays.trackId,
    object({ track_id: userPlays.trackId, plays: userPlays.plays }),
  ),
];
