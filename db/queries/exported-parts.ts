import { asc, desc, eq, inArray, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { comments } from "../schema/comments.ts";
import { connections } from "../schema/connections.ts";
import { credits } from "../schema/credits.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import { formerAddresses } from "../schema/former-addresses.ts";
import { sessions } from "../schema/grants.ts";
import { reports } from "../schema/moderation.ts";
import { newsMails } from "../schema/news.ts";
import { accounts, apps, siteSessions, users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { recentPlays, userPlays } from "../schema/plays.ts";
import { podcastImports } from "../schema/podcast-imports.ts";
import { chapters, episodes, podcasts, transcripts } from "../schema/podcasts.ts";
import { reposts } from "../schema/reposts.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { webProfiles } from "../schema/web-profiles.ts";
import { webhooks } from "../schema/webhooks.ts";
import type { Drizzle } from "../transports/open.ts";
import { connectedApps, pendingEmail, profileColumns } from "./settings.ts";

/** Parts of an account's export, without secrets and their hashes. */

type Reader = Pick<Drizzle, "select">;

export type Item = Record<string, unknown>;

const object = (fields: Record<string, SQLWrapper>) =>
  sql<Item>`jsonb_build_object(${sql.join(
    Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`;

/** Selects all columns except these, so that the export includes new columns. */
const without = (table: PgTable, ...columns: string[]) =>
  sql<Item>`to_jsonb(${table}) - ${sql.raw(`'{${columns}}'::text[]`)}`;

const createdAt = (id: PgColumn) => sql`id_created_at(${id})`;

const publishedAt = (of: Record<"sharing" | "wasPublic" | "publishedId", PgColumn>) =>
  sql`case when ${of.sharing} = 'public' or ${of.wasPublic} then ${createdAt(of.publishedId)} end`;

const all = (item: SQLWrapper, from: SQLWrapper, isTheirs: SQL, order: SQLWrapper) =>
  sql`(select coalesce(jsonb_agg(${item} order by ${order}), '[]') from ${from} where ${isTheirs})`;

/** The short parts of the export. The user's account must be among the tables. */
export const shortParts = (on: Reader, user: SQLWrapper) =>
  object({
    account: object({
      email: accounts.email,
      confirmed_at: accounts.confirmedAt,
      created_at: accounts.createdAt,
      pending_email: pendingEmail(on),
    }),
    profile: object({
      id: users.id,
      permalink: users.permalink,
      plan: users.plan,
      ...profileColumns,
      avatar_version: users.avatarVersion,
      updated_at: users.updatedAt,
    }),
    former_permalinks: all(
      object({
        permalink: formerAddresses.permalink,
        track_id: formerAddresses.trackId,
        playlist_id: formerAddresses.playlistId,
        left_at: formerAddresses.leftAt,
      }),
      formerAddresses,
      eq(formerAddresses.userId, users.id),
      formerAddresses.id,
    ),
    web_profiles: all(
      without(webProfiles, "user_id", "place"),
      webProfiles,
      eq(webProfiles.userId, users.id),
      webProfiles.place,
    ),
    news_mails: all(
      object({ mail: newsMails.mail, kinds: newsMails.kinds }),
      newsMails,
      eq(newsMails.userId, users.id),
      newsMails.mail,
    ),
    reports: all(
      object({
        url: reports.url,
        reason: reports.reason,
        details: reports.details,
        email: reports.email,
        state: reports.state,
        created_at: createdAt(reports.id),
      }),
      reports,
      eq(reports.reporterId, users.id),
      reports.id,
    ),
    recently_played: all(
      object({ track_id: recentPlays.trackId, played_at: recentPlays.playedAt }),
      recentPlays,
      eq(recentPlays.userId, users.id),
      desc(recentPlays.playedAt),
    ),
    apps: all(
      without(apps, "secret_hash", "previous_secret_hash"),
      apps,
      eq(apps.ownerId, users.id),
      apps.id,
    ),
    api_sessions: all(
      object({
        app: apps.name,
        scope: sessions.scope,
        created_at: sessions.createdAt,
        last_used_at: sessions.lastUsedAt,
        expires_at: sessions.expiresAt,
        revoked_at: sessions.revokedAt,
      }),
      sql`${sessions} join ${apps} on ${eq(apps.id, sessions.appId)}`,
      eq(sessions.userId, users.id),
      sessions.id,
    ),
    site_sessions: all(
      object({
        browser: siteSessions.browser,
        created_at: siteSessions.createdAt,
        expires_at: siteSessions.expiresAt,
        revoked_at: siteSessions.revokedAt,
      }),
      siteSessions,
      eq(siteSessions.userId, users.id),
      siteSessions.createdAt,
    ),
    connected_apps: sql`(select coalesce(jsonb_agg(a), '[]') from ${connectedApps(on, user).as("a")})`,
    connections: all(
      without(connections, "user_id", "tokens_sealed"),
      connections,
      eq(connections.userId, users.id),
      connections.id,
    ),
    // The rest of the URL may be the secret of a stranger's app.
    webhooks: all(
      object({
        id: webhooks.id,
        app_id: webhooks.appId,
        host: webhooks.targetHost,
        events: webhooks.events,
        url: sql`case when ${or(eq(apps.ownerId, users.id), eq(apps.clientId, "site"))} then ${webhooks.url} end`,
        enabled: webhooks.enabled,
        disabled_reason: webhooks.disabledReason,
        created_at: createdAt(webhooks.id),
        updated_at: webhooks.updatedAt,
      }),
      sql`${webhooks} join ${apps} on ${eq(apps.id, webhooks.appId)}`,
      eq(webhooks.userId, users.id),
      webhooks.id,
    ),
  });

/** A list that may be long. */
export interface List {
  name: string;
  from: PgTable;
  isTheirs: (on: Reader, user: SQLWrapper) => SQL | undefined;
  /** Unique within the list. */
  order: PgColumn[];
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
  besideTracks("chapters", chapters, { chapters: chapters.chapters }),
  listOf(
    "podcast_imports",
    podcastImports.userId,
    podcastImports.id,
    sql`${without(podcastImports, "app_id", "code_hash", "next_run_at")} || ${object({ created_at: createdAt(podcastImports.id) })}`,
    100,
  ),
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
