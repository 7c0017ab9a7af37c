-- What is counted of each track and not yet added up. `ROWS`, so that it is joined by a hash: of a query of its own a planner
-- takes so little that it looks through all of it for every track, or does it again for each.
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
