import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { spelledColumns } from "../row-shape.ts";
import { counterDeltas } from "../schema/counters.ts";
import { favorites } from "../schema/favorites.ts";
import { takedowns } from "../schema/moderation.ts";
import { apps, users } from "../schema/people.ts";
import { userPlays } from "../schema/plays.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { StoredSelect } from "../stored-select.ts";
import { type Caller, createdAt, moment } from "./caller.ts";
import { label, miniLabel, miniUser } from "./mini-user.ts";
import { askedIds, counted, FENCE, idOf, pendingOf, publishedAt } from "./show-parts.ts";
import type {
  Access,
  AccessFacts,
  ArtistRow,
  EncodingRow,
  GrowingMedia,
  LoudnessRow,
  TrackRow,
} from "./track-rows.ts";
import { trackAccess } from "./visibility.ts";

const app = alias(apps, "app");

/** Segments that a running encode has stored. */
export const growing = sql<GrowingMedia | null>`case when ${tracks.state} = 'processing' then (
  select json_build_object('media_prefix', 't/' || ${tracks.id} || '/' || ${encodingJobs.leaseToken} || '/',
    'sample_rate', ${encodingJobs.sampleRate}, 'segments_ready', ${encodingJobs.segmentsReady})
  from ${encodingJobs} where ${encodingJobs.trackId} = ${tracks.id} and ${encodingJobs.state} = 'leased'
    and ${encodingJobs.segmentsReady} > 0) end`;

const encoding = sql`(select json_build_object('progress', ${encodingJobs.progress},
    'segments_ready', ${encodingJobs.segmentsReady}, 'failure_reason', ${encodingJobs.failureReason},
    'failure_retryable', ${encodingJobs.failureRetryable}, 'warnings', coalesce(${tracks.media}->'warnings', '[]'),
    'attempt', ${encodingJobs.attempt}, 'started_at', ${encodingJobs.startedAt}, 'finished_at', ${encodingJobs.finishedAt})
  from ${encodingJobs} where ${encodingJobs.trackId} = ${tracks.id})`;

/** Set for a track that an operator keeps down. */
const takedown = sql`(select json_build_object('reason', ${takedowns.reason}, 'created_at', ${takedowns.createdAt})
  from ${takedowns} where ${takedowns.trackId} = ${tracks.id})`;

/** Columns that are shown as they are stored. The others depend on the reader, or nobody sees them. */
const {
  id,
  updated_at,
  taken_down_at,
  was_public,
  permalink_chosen,
  app_id,
  sanitizer_version,
  original_key,
  original_filename,
  original_deleted_at,
  media,
  ...stored
} = spelledColumns(tracks);

/**
 * Shows tracks in the order of `ids`: those that the reader may see, be it by a secret. Behind `most_bytes` of descriptions,
 * which bound a reply, descriptions are left out and `fits` is false.
 */
export const showTracks = new StoredSelect(
  "show_tracks",
  {
    ids: "bigint[]",
    session: "bigint",
    client: "text",
    user: "bigint",
    secret_hash: "bytea",
    country: "text",
    most_bytes: "bigint",
  },
  (given, on) => {
    const asked = askedIds(on, given.ids);
    const pending = on.$with("pending").as(
      on
        .select({
          id: counterDeltas.subjectId,
          comments: pendingOf("comment_count"),
          downloads: pendingOf("download_count"),
          plays: pendingOf("playback_count"),
          favoritings: pendingOf("favoritings_count"),
          reposts: pendingOf("reposts_count"),
        })
        .from(counterDeltas)
        .where(and(eq(counterDeltas.kind, "track"), sql`${counterDeltas.subjectId} = any (${given.ids})`))
        .groupBy(counterDeltas.subjectId),
    );
    const allowed = on
      .select({ access: sql<Access | "none">`${trackAccess(given)}`.as("access") })
      .from(sql`(values (1)) one`)
      .offset(FENCE)
      .as("allowed");
    const bytes = sql`coalesce(octet_length(${tracks.description}), 0)`;
    const fits = sql<boolean>`sum(${bytes}) over (order by ${asked.place}) - ${bytes} < ${given.most_bytes}`;
    const isOwn = sql<boolean | null>`${tracks.userId} = ${given.user}`;
    const ofOwner = <Shown>(shown: SQLWrapper) => sql<Shown | null>`case when ${isOwn} then ${shown} end`;
    const ofUser = <Shown>(shown: SQL) =>
      sql<Shown | null>`case when ${given.user} is not null then ${shown} end`;
    return on
      .with(asked, pending)
      .select({
        id: tracks.id,
        ...stored,
        created_at: createdAt(tracks.id),
        updated_at: moment<string>(tracks.updatedAt),
        publish_at: moment<string | null>(ofOwner(tracks.publishAt)),
        original_deleted_at: moment<string | null>(ofOwner(tracks.originalDeletedAt)),
        published_at: publishedAt(tracks),
        artwork_version: sql<
          string | null
        >`case when ${tracks.takenDownAt} is null then ${tracks.artworkVersion} end`,
        artists: sql<ArtistRow[] | null>`case when ${tracks.artists} is not null
          then shown_artists(${tracks.id}, ${tracks.userId}, ${tracks.artists}, ${given.user}) end`,
        description: sql<string | null>`case when ${fits} then ${tracks.description} end`,
        fits,
        loudness: sql<LoudnessRow | null>`${tracks.media}->'loudness'`,
        comment_count: counted(tracks.commentCount, pending.comments),
        download_count: counted(tracks.downloadCount, pending.downloads),
        playback_count: counted(tracks.playbackCount, pending.plays),
        favoritings_count: counted(tracks.favoritingsCount, pending.favoritings),
        reposts_count: counted(tracks.repostsCount, pending.reposts),
        access: sql<Access>`case when ${tracks.takenDownAt} is null then ${allowed.access} else 'blocked' end`,
        owned: isOwn,
        user_favorite: ofUser<boolean>(
          // A scalar subquery looks up one row for each track. For `exists`, PostgreSQL would read all favorites of
          // the user.
          sql`coalesce((select true from ${favorites} where ${favorites.userId} = ${given.user} and ${favorites.trackId} = ${tracks.id}), false)`,
        ),
        user_playback_count: ofUser<number>(
          sql`coalesce((select ${userPlays.plays} from ${userPlays} where ${userPlays.userId} = ${given.user} and ${userPlays.trackId} = ${tracks.id}), 0)`,
        ),
        paywall: ofOwner<TrackRow["paywall"]>(tracks.paywall),
        secret_hash: sql<string>`encode(${tracks.secretHash}, 'hex')`,
        secret_sealed: ofOwner<string>(sql`encode(${tracks.secretSealed}, 'base64')`),
        encoding: ofOwner<EncodingRow>(encoding),
        growing,
        takedown: ofOwner<TrackRow["takedown"]>(takedown),
        user: miniUser,
        label: miniLabel,
        created_with: { id: app.id, name: app.name, permalink: app.permalink, external_url: app.externalUrl },
      })
      .from(asked)
      .fullJoin(pending, eq(pending.id, asked.id))
      .innerJoin(tracks, eq(tracks.id, idOf(asked, pending)))
      .innerJoin(users, eq(users.id, tracks.userId))
      .innerJoinLateral(allowed, sql`true`)
      .leftJoin(label, and(eq(label.id, tracks.labelId), isNull(label.disabledAt)))
      .leftJoin(app, and(eq(app.id, tracks.appId), eq(app.firstParty, false), isNull(app.disabledAt)))
      .where(
        sql`require_session(${given.session}, ${given.client}, ${given.user}) and ${allowed.access} <> 'none'`,
      )
      .orderBy(asked.place);
  },
);

export type ShownTrack = ReturnType<typeof showTracks.made.toRows>[number];

/** Bytes of descriptions in a list. */
const MOST_BYTES = 2 * 2 ** 20;

/** Parameters of `showTracks` beside the ids. */
export const shownTo = (caller: Caller, { secretHash, country }: AccessFacts, most_bytes = MOST_BYTES) => ({
  session: caller.sessionId,
  client: caller.clientId,
  user: caller.userId,
  secret_hash: secretHash ?? null,
  country: country ?? null,
  most_bytes,
});
