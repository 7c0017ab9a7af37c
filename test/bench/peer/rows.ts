import * as z from "zod";
import type { PlaylistRow } from "../../../db/queries/playlists.ts";
import type { LoudnessRow, TrackRow } from "../../../db/queries/track-rows.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";

/** A row of `statements.ts`. `id` is null if nothing was found. */
export type Row = Record<string, unknown> & { id: number | null };

const ID_EPOCH_MS = Date.UTC(2024, 0, 1);

const createdAt = (id: number): string => new Date(Math.floor(id / 4096) + ID_EPOCH_MS).toISOString();

const userOf = (row: Row, alias: "o" | "l") =>
  row[`${alias}_id`] && {
    id: row[`${alias}_id`],
    permalink: row[`${alias}_permalink`],
    username: row[`${alias}_username`],
    avatar_version: row[`${alias}_avatar_version`],
    updated_at: row[`${alias}_updated_at`],
  };

const shared = (row: Row) => ({
  ...row,
  created_at: createdAt(row.id ?? 0),
  user: userOf(row, "o"),
  label: userOf(row, "l"),
});

/** The row that our representation takes. The columns are checked by comparing replies, not by types. */
export const toTrackRow = (row: Row) =>
  ({
    ...shared(row),
    created_with: row.a_id
      ? { id: row.a_id, name: row.a_name, permalink: row.a_permalink, external_url: row.a_url }
      : null,
  }) as unknown as TrackRow;

/** The same of a playlist. Its totals are those of the tracks that the reader sees. */
export const toPlaylistRow = (row: Row, tracks: Track[]) =>
  ({
    ...shared(row),
    track_count: tracks.length,
    duration_ms: tracks.reduce((sum, { duration }) => sum + duration, 0),
    streamable: common(tracks.map(({ streamable }) => streamable)),
    downloadable: common(tracks.map(({ downloadable }) => downloadable)),
    loudness: loudnessOf(tracks),
  }) as unknown as PlaylistRow;

/** The value that all share, or null. */
const common = (values: boolean[]) => (values.every((value) => value === values[0]) ? values[0] : null);

function loudnessOf(tracks: Pick<Track, "loudness" | "duration">[]): LoudnessRow | null {
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
