-- Returns the loudness of a set: the mean energy of its measured audio, and the highest peak. `p_energy` sums
-- 10^(LUFS/10) times milliseconds. Loudness ranges of tracks do not add up to one. Null if nothing was measured.
CREATE OR REPLACE FUNCTION playlist_loudness(p_energy double precision, p_ms numeric, p_peak double precision) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_ms > 0 OR p_peak IS NOT NULL THEN
    jsonb_build_object('integrated_lufs', round((10 * log(p_energy / p_ms::double precision))::numeric, 1), 'range_lu', NULL,
      'true_peak_dbtp', p_peak) END
$$;
