CREATE OR REPLACE FUNCTION playlist_row(p playlists, p_user bigint, p_secret_hash bytea, p_country text, p_access text[] DEFAULT NULL)
RETURNS TABLE ("row" jsonb, track_ids bigint[], opened bigint[]) LANGUAGE sql STABLE AS $$
  SELECT playlist_body(p, p_user, jsonb_build_object('track_count', e.track_count, 'duration_ms', e.duration_ms,
      'streamable', e.streamable, 'downloadable', e.downloadable,
      'loudness', playlist_loudness(e.energy, e.measured_ms, e.peak))),
    e.track_ids, e.opened
  FROM (
    SELECT count(*) AS track_count, coalesce(sum((e.t).duration_ms), 0) AS duration_ms,
      CASE WHEN bool_and(s.streamable) = bool_or(s.streamable) THEN bool_and(s.streamable) END AS streamable,
      CASE WHEN bool_and((e.t).downloadable) = bool_or((e.t).downloadable) THEN bool_and((e.t).downloadable) END AS downloadable,
      sum((e.t).duration_ms * power(10, l.lufs / 10)) AS energy,
      sum((e.t).duration_ms) FILTER (WHERE l.lufs IS NOT NULL) AS measured_ms,
      max(((e.t).media #>> '{loudness,true_peak_dbtp}')::double precision) AS peak,
      coalesce(array_agg((e.t).id ORDER BY e.position), '{}') AS track_ids,
      coalesce(array_agg((e.t).id) FILTER (WHERE (e.t).sharing = 'private'), '{}') AS opened
    FROM playlist_entries(p, p_user, p_secret_hash, p_country) e,
      LATERAL (SELECT CASE WHEN (e.t).user_id = p_user THEN (e.t).streamable ELSE e.access <> 'blocked' END AS streamable) s,
      LATERAL (SELECT ((e.t).media #>> '{loudness,integrated_lufs}')::double precision AS lufs) l
    WHERE p_access IS NULL OR e.access = ANY (p_access)) e
$$;
