import * as z from "zod";
import type { LoudnessRow, TrackRow } from "../../../db/queries/track-rows.ts";
import type { Track } from "../../../functions/tracks/representation.ts";

/**
 * `$1` is the reader, `$2` the session. Selects a track's columns, owner, counts and the viewer's favorites.
 */
export const COLUMNS = `
  t.id, t.user_id, t.updated_at, t.title, t.permalink, t.artist, t.description, t.genre, t.tag_list, t.track_type, t.license,
  t.label_id, t.label_name, t.release, t.release_day, t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature,
  t.purchase_url, t.purchase_title, t.video_url, t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable,
  t.commentable, t.reveal_comments, t.reveal_stats, t.available_country_codes, t.state, t.original_format,
  t.original_content_size, t.duration_ms, t.media_prefix, t.media->'loudness' as loudness,
  t.comment_count + coalesce(d.comments, 0) as comment_count, t.download_count + coalesce(d.downloads, 0) as download_count,
  t.playback_count + coalesce(d.plays, 0) as playback_count,
  t.favoritings_count + coalesce(d.favoritings, 0) as favoritings_count,
  t.reposts_count + coalesce(d.reposts, 0) as reposts_count,
  case when not t.streamable or t.available_country_codes is not null then 'blocked'
    when t.paywall is not null and not exists (select from users r where r.id = $1 and r.plan <> 'free') then t.paywall
    else 'playable' end as access,
  f.track_id is not null as user_favorite, 0 as user_playback_count,
  u.permalink as u_permalink, u.username as u_username, u.avatar_version as u_avatar, u.updated_at as u_updated,
  a.id as a_id, a.name as a_name, a.permalink as a_permalink, a.external_url as a_url`;

/** Counts that no sweep has added up yet. `tracks` is a condition on `c.subject_id`, or ids after `= any`. */
const pending = (tracks: string) => `
  sum(delta) filter (where counter = 'comment_count')::bigint as comments,
  sum(delta) filter (where counter = 'download_count')::bigint as downloads,
  sum(delta) filter (where counter = 'playback_count')::bigint as plays,
  sum(delta) filter (where counter = 'favoritings_count')::bigint as favoritings,
  sum(delta) filter (where counter = 'reposts_count')::bigint as reposts
  from counter_deltas c where c.subject_id ${tracks} and c.kind = 'track'`;

const PEOPLE = `
  join users u on u.id = t.user_id and u.disabled_at is null
  left join apps a on a.id = t.app_id and not a.first_party
  left join favorites f on f.user_id = $1 and f.track_id = t.id`;

export const JOINS = `${PEOPLE} left join lateral (select ${pending("= t.id")}) d on true`;

/** Joins for many tracks. `ids` is a query. */
export const joinsOfMany = (ids: string) =>
  `${PEOPLE} left join (select c.subject_id, ${pending(`in (${ids})`)} group by c.subject_id) d on d.subject_id = t.id`;

export const LIVE = `exists (select from sessions s join apps p on p.id = s.app_id
  where s.id = $2 and s.revoked_at is null and s.expires_at > now() and p.disabled_at is null)`;

export type Row = Record<string, unknown> & { id: number; user_id: number };

const ID_EPOCH_MS = Date.UTC(2024, 0, 1);

export const createdAt = (id: number): string => new Date(Math.floor(id / 4096) + ID_EPOCH_MS).toISOString();

export const ownerOf = (row: Row) => ({
  id: row.user_id,
  permalink: row.u_permalink,
  username: row.u_username,
  avatar_version: row.u_avatar,
  updated_at: row.u_updated,
});

export const asRow = (row: Row) =>
  ({
    ...row,
    created_at: createdAt(row.id),
    owned: false,
    paywall: null,
    secret_hash: "",
    secret_sealed: null,
    encoding: null,
    label: null,
    user: ownerOf(row),
    created_with: row.a_id
      ? { id: row.a_id, name: row.a_name, permalink: row.a_permalink, external_url: row.a_url }
      : null,
  }) as unknown as TrackRow;

/** Loudness of a playlist's tracks. */
export function loudnessOf(tracks: Pick<Track, "loudness" | "duration">[]): LoudnessRow | null {
  let [energy, measuredMs, peak] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const { loudness, duration } of tracks) {
    peak = Math.max(peak, loudness?.true_peak ?? Number.NEGATIVE_INFINITY);
    if (typeof loudness?.integrated !== "number") continue;
    energy += duration * 10 ** (loudness.integrated / 10);
    measuredMs += duration;
  }
  if (measuredMs === 0 && peak === Number.NEGATIVE_INFINITY) return null;
  return {
    integrated_lufs: measuredMs ? Number((10 * Math.log10(energy / measuredMs)).toFixed(1)) : null,
    range_lu: null,
    true_peak_dbtp: Number.isFinite(peak) ? peak : null,
  };
}

/** Inlines references and unions, which Fastify would try in turn for each value. */
function flat(schema: unknown, defs: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => flat(one, defs));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, anyOf, format: _format, $defs: _defs, ...rest } = schema as Record<string, unknown>;
  if (typeof $ref === "string") return flat(defs[$ref.split("/").at(-1) ?? ""], defs);
  if (Array.isArray(anyOf)) return { ...(flat(anyOf[0], defs) as object), nullable: true };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, flat(value, defs)]));
}

/** A schema from which Fastify compiles a reply's JSON. */
export function compilable(schema: z.ZodType): object {
  const described = z.toJSONSchema(schema, { target: "draft-7" }) as Record<string, unknown>;
  const defs = (described.$defs ?? described.definitions ?? {}) as Record<string, unknown>;
  return flat({ ...described, definitions: undefined }, defs) as object;
}
