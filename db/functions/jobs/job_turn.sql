-- Returns a job's turn: the moment of the upload, plus a second for each megabyte, behind the owner's waiting upload before
-- it (by a minute at most). Short tracks overtake long ones and another's thousand; a job waits only for earlier turns.
CREATE OR REPLACE FUNCTION job_turn(p_track tracks) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(now(), (
      SELECT j.turn - b.size + least(b.size, interval '1 minute')
      FROM (SELECT id, original_content_size FROM tracks WHERE user_id = p_track.user_id AND id < p_track.id
        ORDER BY id DESC LIMIT 1) t
      JOIN encoding_jobs j ON j.track_id = t.id AND j.state = 'queued'
      CROSS JOIN LATERAL make_interval(secs => t.original_content_size / 1e6) AS b (size)))
    + make_interval(secs => p_track.original_content_size / 1e6)
$$;
