-- Counts a batch of queued plays, possibly redelivered, and returns how many count. A play holds `track`, `mark` in
-- Base64, `user` or null, and `at` in milliseconds since 1970. Tracks are locked first, and in one order, against
-- deadlocks.
CREATE OR REPLACE FUNCTION count_plays(p_plays jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  play record;
  counted bigint[] := '{}';
BEGIN
  PERFORM FROM tracks t WHERE t.id IN (SELECT (p->>'track')::bigint FROM jsonb_array_elements(p_plays) p)
  ORDER BY t.id FOR KEY SHARE;
  -- A track that was superseded since it played is waited for above, and counts for the one in its place.
  IF EXISTS (SELECT FROM superseded_tracks s WHERE s.id IN (SELECT (p->>'track')::bigint FROM jsonb_array_elements(p_plays) p)) THEN
    p_plays := (SELECT jsonb_agg(p || jsonb_build_object('track', coalesce(s.track_id, (p->>'track')::bigint)))
      FROM jsonb_array_elements(p_plays) p LEFT JOIN superseded_tracks s ON s.id = (p->>'track')::bigint);
    PERFORM FROM tracks t WHERE t.id IN (SELECT (p->>'track')::bigint FROM jsonb_array_elements(p_plays) p)
    ORDER BY t.id FOR KEY SHARE;
  END IF;
  FOR play IN
    SELECT t.id AS track, decode(p->>'mark', 'base64') AS mark, (p->>'user')::bigint AS listener, a.at
    FROM jsonb_array_elements(p_plays) p JOIN tracks t ON t.id = (p->>'track')::bigint,
      LATERAL (SELECT least(to_timestamp((p->>'at')::float8 / 1000), now()) AS at OFFSET 0) a
    -- Marks are kept half an hour longer than this, so that none is missing.
    WHERE a.at > now() - interval '6 hours'
    ORDER BY track, mark, at
  LOOP
    IF note_play(play.track, play.mark, play.listener, play.at) THEN
      counted := counted || play.track;
    END IF;
  END LOOP;
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', c.track, 'playback_count', count(*) FROM unnest(counted) AS c(track) GROUP BY c.track;
  RETURN cardinality(counted);
END $$;
