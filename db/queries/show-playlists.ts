import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { Kept } from "../kept.ts";
import { spelledColumns } from "../row-shape.ts";
import { counterDeltas } from "../schema/counters.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { createdAt, moment } from "./caller.ts";
import { label, miniLabel, miniUser } from "./mini-user.ts";
import { askedIds, counted, number, pendingOf } from "./show-parts.ts";
import type { Access, LoudnessRow } from "./track-rows.ts";
import { entryAccess, isShownEntry, isVisiblePlaylist } from "./visibility.ts";

/** The value that all tracks have. Null if they differ. */
const unanimous = (value: SQL | typeof tracks.downloadable) =>
  sql<boolean | null>`case when bool_and(${value}) = bool_or(${value}) then bool_and(${value}) end`;

const measured = (name: string) =>
  sql`(${tracks.media} #>> ${sql.raw(`'{loudness,${name}}'`)})::double precision`;
const lufs = measured("integrated_lufs");
const peak = sql`max(${measured("true_peak_dbtp")})`;
const measuredMs = sql`sum(${tracks.durationMs}) filter (where ${lufs} is not null)`;
const energy = sql`sum(${tracks.durationMs} * power(10, ${lufs} / 10))`;

/** The mean energy of a set's measured audio, and the highest peak. Ranges of tracks do not add up to one. */
const loudness = sql<LoudnessRow | null>`case when ${measuredMs} > 0 or ${peak} is not null then
  json_build_object('integrated_lufs', round((10 * log(${energy} / ${measuredMs}::double precision))::numeric, 1),
    'range_lu', null, 'true_peak_dbtp', ${peak}) end`;

/** Columns that are shown as they are stored. The others depend on the reader, or nobody sees them. */
const { id, updated_at, published_id, was_public, sanitizer_version, secret_hash, podcast_guid, ...stored } =
  spelledColumns(playlists);

/**
 * Shows playlists in the order of `ids`: those that the reader may see, be it by a secret. Totals count the tracks that the reader
 * sees and has one of the kinds of `access` to; null allows any. Without `totals` they are 0, for a reader of the tracks themselves.
 * `track_ids` adds the ids of these tracks, in order.
 */
export const showPlaylists = new Kept(
  "show_playlists",
  {
    ...({ ids: "bigint[]", session: "bigint", client: "text", user: "bigint" } as const),
    ...({ secret_hash: "bytea", country: "text", access: "text[]" } as const),
    ...({ totals: "boolean", track_ids: "boolean" } as const),
  },
  (given, on) => {
    const asked = askedIds(on, given.ids);
    const pending = on.$with("pending").as(
      on
        .select({
          id: counterDeltas.subjectId,
          favoritings: pendingOf("favoritings_count"),
          reposts: pendingOf("reposts_count"),
        })
        .from(counterDeltas)
        .where(and(eq(counterDeltas.kind, "playlist"), sql`${counterDeltas.subjectId} = any (${given.ids})`))
        .groupBy(counterDeltas.subjectId),
    );
    // The bound keeps PostgreSQL from copying the expression to wherever the access is used.
    const allowed = on
      .select({ access: sql<Access | "none">`${entryAccess(given)}`.as("access") })
      .from(sql`(values (1)) one`)
      .offset(sql`0` as never)
      .as("allowed");
    const streams = sql`case when ${tracks.userId} = ${given.user} then ${tracks.streamable} else ${allowed.access} <> 'blocked' end`;
    const totals = on
      .select({
        track_count: sql`count(*)`.as("track_count"),
        duration_ms: sql`coalesce(sum(${tracks.durationMs}), 0)`.as("total_ms"),
        streamable: unanimous(streams).as("all_stream"),
        downloadable: unanimous(tracks.downloadable).as("all_download"),
        loudness: loudness.as("set_loudness"),
        track_ids: sql<number[] | null>`json_agg(${tracks.id} order by ${playlistTracks.position})
          filter (where ${given.track_ids})`.as("listed_ids"),
      })
      .from(playlistTracks)
      .innerJoin(tracks, eq(tracks.id, playlistTracks.trackId))
      .innerJoin(users, eq(users.id, tracks.userId))
      .innerJoinLateral(allowed, sql`true`)
      .where(
        and(
          given.totals,
          eq(playlistTracks.playlistId, playlists.id),
          isShownEntry(given),
          sql`${allowed.access} <> 'none' and (${given.access} is null or ${allowed.access} = any (${given.access}))`,
        ),
      )
      .as("totals");
    return on
      .with(asked, pending)
      .select({
        id: playlists.id,
        ...stored,
        created_at: createdAt(playlists.id),
        updated_at: moment<string>(playlists.updatedAt),
        favoritings_count: counted(playlists.favoritingsCount, pending.favoritings),
        reposts_count: counted(playlists.repostsCount, pending.reposts),
        secret_sealed: sql<
          string | null
        >`case when ${playlists.userId} = ${given.user} then encode(${playlists.secretSealed}, 'base64') end`,
        track_count: number(sql`${totals.track_count}`),
        duration_ms: number(sql`${totals.duration_ms}`),
        streamable: totals.streamable,
        downloadable: totals.downloadable,
        loudness: totals.loudness,
        track_ids: totals.track_ids,
        user: miniUser,
        label: miniLabel,
      })
      .from(asked)
      .innerJoin(playlists, eq(playlists.id, asked.id))
      .innerJoin(users, eq(users.id, playlists.userId))
      .innerJoinLateral(totals, sql`true`)
      .leftJoin(label, and(eq(label.id, playlists.labelId), isNull(label.disabledAt)))
      .leftJoin(pending, eq(pending.id, playlists.id))
      .where(
        and(sql`require_session(${given.session}, ${given.client}, ${given.user})`, isVisiblePlaylist(given)),
      )
      .orderBy(asked.place);
  },
);
