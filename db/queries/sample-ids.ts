import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { comments } from "../schema/comments.ts";
import { connections } from "../schema/connections.ts";
import { credits } from "../schema/credits.ts";
import { favorites } from "../schema/favorites.ts";
import { followings } from "../schema/followings.ts";
import { apps, users } from "../schema/people.ts";
import { playlistFavorites, playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { podcastImportEpisodes, podcastImports } from "../schema/podcast-imports.ts";
import { chapters, podcasts, transcripts } from "../schema/podcasts.ts";
import { reposts } from "../schema/reposts.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { uploads } from "../schema/uploads.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { firstRow, onlyRow, type SignedIn, signedIn } from "./caller.ts";
import { isListedPlaylist, isListedTrack } from "./visibility.ts";
import { eventId } from "./webhook-deliveries.ts";

/** Ids and addresses for the samples of the docs, under the names that samples have for them. Null: there is none. */
type Found = SQL<number | null>;
type Listed = PgTable & { id: PgColumn };

const newestOf = (column: PgColumn | SQL, from: SQL, condition: SQL | undefined, order: PgColumn): Found =>
  sql`(select ${column} from ${from} where ${condition} order by ${order} desc limit 1)`;

const newest = (table: Listed, condition: SQL | undefined, from: SQL = sql`${table}`): Found =>
  newestOf(table.id, from, condition, table.id);

const withTrack = (rows: Listed & { trackId: PgColumn }) =>
  sql`${rows} join ${tracks} on ${tracks.id} = ${rows.trackId} join ${users} on ${users.id} = ${tracks.userId}`;

const withSet = (rows: typeof playlistFavorites | typeof playlistReposts) =>
  sql`${rows} join ${playlists} on ${playlists.id} = ${rows.playlistId} join ${users} on ${users.id} = ${playlists.userId}`;

const OWNED = sql`${tracks} join ${users} on ${users.id} = ${tracks.userId}`;
const playsForEverybody = and(
  isListedTrack(null),
  eq(tracks.state, "finished"),
  tracks.streamable,
  isNull(tracks.availableCountryCodes),
  isNull(tracks.paywall),
);

/** Finds what everybody may read: the newest track that plays, with its owner and a comment, and the newest playlist. */
export async function findPublicSamples(db: Database) {
  const rows = await db.read((on) => {
    const track = on
      .select({
        id: tracks.id,
        userId: tracks.userId,
        permalink: users.permalink,
        page: sql<string>`${users.permalink} || '/' || ${tracks.permalink}`.as("page"),
        revealComments: tracks.revealComments,
      })
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(playsForEverybody)
      .orderBy(desc(tracks.id))
      .limit(1)
      .as("track");
    const comment = on
      .select({ id: comments.id })
      .from(comments)
      .innerJoin(users, eq(users.id, comments.userId))
      .where(and(eq(comments.trackId, track.id), track.revealComments, isNull(users.disabledAt)))
      .orderBy(desc(comments.id))
      .limit(1);
    const playlist = on
      .select({ id: playlists.id })
      .from(playlists)
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(isListedPlaylist(null))
      .orderBy(desc(playlists.id))
      .limit(1);
    return on
      .select({
        TRACK_ID: track.id,
        USER_ID: track.userId,
        USER_PERMALINK: track.permalink,
        OTHER_USER_ID: track.userId,
        COMMENTED_TRACK_ID: track.id,
        COMMENT_ID: sql<number | null>`${comment}`,
        PLAYLIST_ID: sql<number | null>`${playlist}`,
        page: track.page,
      })
      .from(track);
  });
  return firstRow(rows);
}

/** Ids are text here, as the driver reads them from SQL that the builder has not typed. */
interface Own {
  USER_ID: string;
  USER_PERMALINK: string;
  /** Path of the newest track's page. */
  page: string | null;
}

/** Finds the newest of everything that the caller has. */
export async function findOwnSamples(db: Database, caller: SignedIn) {
  const me = caller.userId;
  const app = sql`(select calling.id from ${apps} calling where calling.client_id = ${caller.clientId})`;
  const ownTrack = (condition?: SQL) => newest(tracks, and(eq(tracks.userId, me), condition));
  const finished = ownTrack(eq(tracks.state, "finished"));
  const ownTrackWith = (
    beside: typeof encodingJobs | typeof transcripts | typeof chapters,
    condition?: SQL,
  ) =>
    newest(
      tracks,
      and(eq(tracks.userId, me), condition),
      sql`${tracks} join ${beside} on ${beside.trackId} = ${tracks.id}`,
    );
  const failed = and(eq(tracks.state, "failed"), encodingJobs.failureRetryable);
  const chaptered = ownTrackWith(chapters);
  const playlist = newest(playlists, eq(playlists.userId, me));
  const ofTrack = (rows: typeof favorites | typeof reposts | typeof credits | typeof comments) =>
    newestOf(rows.trackId, withTrack(rows), and(eq(rows.userId, me), isListedTrack(me)), rows.id);
  const ofSet = (rows: typeof playlistFavorites | typeof playlistReposts) =>
    newestOf(rows.playlistId, withSet(rows), and(eq(rows.userId, me), isListedPlaylist(me)), rows.id);
  const following = (which: PgColumn, by: PgColumn) =>
    newestOf(which, sql`${followings}`, eq(by, me), followings.id);
  const follower = following(followings.userId, followings.followeeId);
  const another = newestOf(tracks.userId, OWNED, and(playsForEverybody, ne(tracks.userId, me)), tracks.id);
  const upload = (status?: "open" | "ready") =>
    newest(uploads, and(eq(uploads.userId, me), status && eq(uploads.status, status)));
  const webhook = newest(webhooks, and(eq(webhooks.userId, me), eq(webhooks.appId, app)));
  const podcastImport = newest(podcastImports, eq(podcastImports.userId, me));
  const found = {
    USER_ID: users.id,
    USER_PERMALINK: users.permalink,
    OTHER_USER_ID: sql<number | null>`coalesce(${follower}, ${another})`,
    FOLLOWER_ID: follower,
    FOLLOWED_USER_ID: following(followings.followeeId, followings.userId),
    page: sql<string | null>`(select ${users.permalink} || '/' || ${tracks.permalink} from ${tracks}
      where ${tracks.id} = ${finished})`,
    TRACK_ID: sql<number | null>`coalesce(${finished}, ${ownTrack()})`,
    OLDER_TRACK_ID: ownTrack(and(eq(tracks.state, "finished"), sql`${tracks.id} < ${finished}`)),
    FAILED_TRACK_ID: ownTrackWith(encodingJobs, failed),
    TRANSCRIBED_TRACK_ID: ownTrackWith(transcripts),
    CHAPTERED_TRACK_ID: chaptered,
    CHAPTER_START: sql<number | null>`(select (${chapters.chapters} -> 0 ->> 'start')::bigint from ${chapters}
      where ${chapters.trackId} = ${chaptered})`,
    LIKED_TRACK_ID: ofTrack(favorites),
    REPOSTED_TRACK_ID: ofTrack(reposts),
    CREDITED_TRACK_ID: ofTrack(credits),
    COMMENTED_TRACK_ID: ofTrack(comments),
    COMMENT_ID: newest(comments, and(eq(comments.userId, me), isListedTrack(me)), withTrack(comments)),
    PLAYLIST_ID: playlist,
    PLAYLIST_TRACK_ID: newestOf(
      playlistTracks.trackId,
      sql`${playlistTracks}`,
      eq(playlistTracks.playlistId, playlist),
      playlistTracks.position,
    ),
    PODCAST_ID: newest(
      playlists,
      eq(playlists.userId, me),
      sql`${playlists} join ${podcasts} on ${podcasts.playlistId} = ${playlists.id}`,
    ),
    LIKED_PLAYLIST_ID: ofSet(playlistFavorites),
    REPOSTED_PLAYLIST_ID: ofSet(playlistReposts),
    UPLOAD_ID: upload(),
    OPEN_UPLOAD_ID: upload("open"),
    READY_UPLOAD_ID: upload("ready"),
    APP_ID: newest(apps, and(eq(apps.ownerId, me), isNull(apps.disabledAt), eq(apps.registeredBy, app))),
    WEBHOOK_ID: webhook,
    DELIVERY_ID: newest(webhookDeliveries, eq(webhookDeliveries.webhookId, webhook)),
    EVENT_ID: newestOf(
      eventId,
      sql`${webhookDeliveries}`,
      eq(webhookDeliveries.webhookId, webhook),
      webhookDeliveries.id,
    ),
    CONNECTION_ID: newest(connections, eq(connections.userId, me)),
    IMPORT_ID: podcastImport,
    EPISODE_ID: newest(
      podcastImportEpisodes,
      and(eq(podcastImportEpisodes.importId, podcastImport), eq(podcastImportEpisodes.state, "failed")),
    ),
  };
  const fields = Object.entries(found).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  // The builder would leave out the names of tables, which the inner selects need.
  const rows = await db.read<Own & Record<Exclude<keyof typeof found, keyof Own>, string | null>>(
    sql`select ${sql.join(fields, sql`, `)} from ${users} where ${and(eq(users.id, me), signedIn(caller))}`,
  );
  return onlyRow(rows);
}
