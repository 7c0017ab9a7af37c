-- Returns a job's turn: the time of the upload plus a second for each megabyte. An owner's waiting uploads follow each other by
-- up to a minute. So short tracks overtake long ones, and a thousand uploads of one user delay nobody else's.
CREATE OR REPLACE FUNCTION job_turn(p_track tracks) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(now(), (
      SELECT j.turn - b.size + least(b.size, interval '1 minute')
      FROM (SELECT id, original_content_size FROM tracks WHERE user_id = p_track.user_id AND id < p_track.id
        ORDER BY id DESC LIMIT 1) t
      JOIN encoding_jobs j ON j.track_id = t.id AND j.state = 'queued'
      CROSS JOIN LATERAL make_interval(secs => t.original_content_size / 1e6) AS b (size)))
    + make_interval(secs => p_track.original_content_size / 1e6)
$$;
