-- Returns the pending deltas of each track. `ROWS` makes the planner use a hash join. A plain subquery would be
-- estimated so small that it is scanned once per track.
CREATE OR REPLACE FUNCTION pending_track_counts(p_ids bigint[])
RETURNS TABLE (id bigint, comments bigint, downloads bigint, plays bigint, favoritings bigint, reposts bigint)
LANGUAGE plpgsql STABLE ROWS 1000 AS $$
BEGIN
  RETURN QUERY
  SELECT d.subject_id, sum(d.delta) FILTER (WHERE d.counter = 'comment_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'download_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'playback_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count')::bigint,
    sum(d.delta) FILTER (WHERE d.counter = 'reposts_count')::bigint
  FROM counter_deltas d WHERE d.subject_id = ANY (p_ids) AND d.kind = 'track' GROUP BY d.subject_id;
END $$;
