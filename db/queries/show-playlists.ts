import { and, eq, exists, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Reader } from "../client.ts";
import { spelledColumns } from "../row-shape.ts";
import { counterDeltas } from "../schema/counters.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { podcasts } from "../schema/podcasts.ts";
import { StoredSelect } from "../stored-select.ts";
import { createdAt, moment } from "./caller.ts";
import { label, miniLabel, miniUser } from "./mini-user.ts";
import { visibleEntries } from "./playlist-entries.ts";
import { askedIds, counted, idOf, number, pendingOf, publishedAt } from "./show-parts.ts";
import type { LoudnessRow } from "./track-rows.ts";
import { isVisiblePlaylist } from "./visibility.ts";

/** The value that all tracks have. Null if they differ. */
const unanimous = (value: SQLWrapper) =>
  sql<boolean | null>`case when bool_and(${value}) = bool_or(${value}) then bool_and(${value}) end`;

/** The mean energy of a set's measured audio, and the highest peak. Ranges of tracks do not add up to one. */
function loudnessOf({ media, durationMs }: Record<"media" | "durationMs", SQLWrapper>) {
  const lufs = sql`(${media} #>> '{loudness,integrated_lufs}')::double precision`;
  const peak = sql`max((${media} #>> '{loudness,true_peak_dbtp}')::double precision)`;
  const measuredMs = sql`sum(${durationMs}) filter (where ${lufs} is not null)`;
  const energy = sql`sum(${durationMs} * power(10, ${lufs} / 10))`;
  return sql<LoudnessRow | null>`case when ${measuredMs} > 0 or ${peak} is not null then
    json_build_object('integrated_lufs', round((10 * log(${energy} / ${measuredMs}::double precision))::numeric, 1),
      'range_lu', null, 'true_peak_dbtp', ${peak}) end`;
}

/** Whether its owner offers it as a podcast. */
export const isPodcast = (on: Reader) =>
  sql<boolean>`${exists(on.select({ id: podcasts.playlistId }).from(podcasts).where(eq(podcasts.playlistId, playlists.id)))}`;

/** Columns that are shown as they are stored. The others depend on the reader, or nobody sees them. */
const {
  id,
  updated_at,
  published_id,
  was_public,
  permalink_chosen,
  sanitizer_version,
  secret_hash,
  podcast_guid,
  ...stored
} = spelledColumns(playlists);

/**
 * Shows playlists in the order of `ids`: those that the reader may see, be it by a secret. Totals count the tracks that the reader
 * sees and has one of the kinds of `access` to; null allows any. Without `totals` they are 0, for a reader of the tracks themselves.
 * `track_ids` adds the ids of these tracks, in order.
 */
export const showPlaylists = new StoredSelect(
  "show_playlists",
  {
    ids: "bigint[]",
    session: "bigint",
    client: "text",
    user: "bigint",
    secret_hash: "bytea",
    country: "text",
    access: "text[]",
    totals: "boolean",
    track_ids: "boolean",
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
    const entries = visibleEntries(on, given, given.access);
    const totals = on
      .select({
        track_count: sql`count(*)`.as("track_count"),
        duration_ms: sql`coalesce(sum(${entries.durationMs}), 0)`.as("total_ms"),
        streamable: unanimous(entries.streams).as("all_stream"),
        downloadable: unanimous(entries.downloadable).as("all_download"),
        loudness: loudnessOf(entries).as("set_loudness"),
        track_ids: sql<number[] | null>`case when ${given.track_ids} then coalesce(
          json_agg(${entries.id} order by ${entries.position}) filter (where ${given.track_ids}), '[]') end`.as(
          "listed_ids",
        ),
      })
      .from(entries)
      .where(given.totals)
      .as("totals");
    return on
      .with(asked, pending)
      .select({
        id: playlists.id,
        ...stored,
        created_at: createdAt(playlists.id),
        updated_at: moment<string>(playlists.updatedAt),
        publish_at: moment<string | null>(
          sql`case when ${playlists.userId} = ${given.user} then ${playlists.publishAt} end`,
        ),
        taken_down_at: moment<string | null>(playlists.takenDownAt),
        published_at: publishedAt(playlists),
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
        is_podcast: isPodcast(on),
        user: miniUser,
        label: miniLabel,
      })
      .from(asked)
      .fullJoin(pending, eq(pending.id, asked.id))
      .innerJoin(playlists, eq(playlists.id, idOf(asked, pending)))
      .innerJoin(users, eq(users.id, playlists.userId))
      .innerJoinLateral(totals, sql`true`)
      .leftJoin(label, and(eq(label.id, playlists.labelId), isNull(label.disabledAt)))
      .where(
        and(sql`require_session(${given.session}, ${given.client}, ${given.user})`, isVisiblePlaylist(given)),
      )
      .orderBy(asked.place);
  },
);
