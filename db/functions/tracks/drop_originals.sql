-- Deletes originals of up to `p_limit` tracks, which stay, and returns their number: of those that failed `p_days` ago and were not
-- tried again, whose owners get a mail each; or, if `p_idle`, of finished ones that nobody may download and that nobody changed since.
-- Not of one that was taken down: somebody may have to answer for it. Locks jobs before tracks, like reports of encodes.
CREATE OR REPLACE FUNCTION drop_originals(p_idle boolean, p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  kept_since timestamptz := now() - make_interval(days => p_days);
  candidate bigint;
  t tracks;
  dropped integer := 0;
  owners bigint[] := '{}';
BEGIN
  FOR candidate IN
    SELECT o.id FROM tracks o
    WHERE p_idle AND o.state = 'finished' AND NOT o.downloadable AND o.original_deleted_at IS NULL AND o.updated_at < kept_since
      AND o.taken_down_at IS NULL
    UNION ALL
    SELECT j.track_id FROM encoding_jobs j JOIN tracks o ON o.id = j.track_id
    WHERE NOT p_idle AND j.state = 'failed' AND j.finished_at < kept_since AND o.original_deleted_at IS NULL
      AND o.taken_down_at IS NULL
    ORDER BY 1 LIMIT p_limit
  LOOP
    -- It may have been tried again, opened for downloads or taken down.
    PERFORM FROM encoding_jobs WHERE track_id = candidate FOR UPDATE;
    UPDATE tracks o SET original_deleted_at = now(), updated_at = CASE WHEN p_idle THEN o.updated_at ELSE now() END
    WHERE o.id = candidate AND o.original_deleted_at IS NULL AND o.taken_down_at IS NULL
      AND CASE WHEN p_idle THEN NOT o.downloadable ELSE o.state = 'failed' END
    RETURNING * INTO t;
    CONTINUE WHEN NOT FOUND;
    dropped := dropped + 1;
    INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (t.original_key, 'uploads', now())
    ON CONFLICT (prefix) DO UPDATE SET due_at = excluded.due_at;
    CONTINUE WHEN p_idle;
    UPDATE encoding_jobs SET failure_reason = 'original_deleted', failure_retryable = false WHERE track_id = candidate;
    owners := owners || t.user_id;
  END LOOP;
  -- One mail tells of all, such as the episodes of a podcast that moved in.
  PERFORM queue_mail(a.user_id, 'original-deleted', a.email, NULL, NULL, jsonb_build_object('days', p_days, 'tracks', o.tracks))
  FROM (SELECT user_id, count(*) AS tracks FROM unnest(owners) user_id GROUP BY user_id) o JOIN accounts a USING (user_id);
  RETURN dropped;
END $$;
