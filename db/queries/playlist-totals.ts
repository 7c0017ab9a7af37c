import type { LoudnessRow, TrackRow } from "./track-rows.ts";

/** Computes the totals of `showPlaylists` from the tracks themselves. */
export function totalsOf(tracks: TrackRow[]) {
  return {
    track_count: tracks.length,
    duration_ms: sumOf(tracks, ({ duration_ms }) => duration_ms ?? 0),
    streamable: unanimous(
      tracks.map(({ owned, streamable, access }) => (owned ? streamable : access !== "blocked")),
    ),
    downloadable: unanimous(tracks.map(({ downloadable }) => downloadable)),
    loudness: loudnessOf(tracks),
  };
}

const sumOf = <Item>(items: Item[], value: (item: Item) => number) =>
  items.reduce((sum, item) => sum + value(item), 0);

const unanimous = ([first, ...others]: boolean[]) =>
  first !== undefined && others.every((value) => value === first) ? first : null;

/** The mean energy of measured audio, weighted by duration, and the highest peak. */
function loudnessOf(tracks: TrackRow[]): LoudnessRow | null {
  const measured = tracks.flatMap(({ duration_ms, loudness }) => {
    const lufs = loudness?.integrated_lufs ?? null;
    return lufs === null ? [] : { ms: duration_ms ?? 0, lufs };
  });
  const peaks = tracks.flatMap(({ loudness }) => loudness?.true_peak_dbtp ?? []);
  const ms = sumOf(measured, (track) => track.ms);
  if (!ms && !peaks.length) return null;
  const energy = sumOf(measured, (track) => track.ms * 10 ** (track.lufs / 10));
  return {
    integrated_lufs: ms ? Number((10 * Math.log10(energy / ms)).toFixed(1)) : null,
    range_lu: null,
    true_peak_dbtp: peaks.length ? Math.max(...peaks) : null,
  };
}
