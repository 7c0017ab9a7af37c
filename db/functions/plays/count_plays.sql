-- Counts a batch of queued plays, possibly redelivered, and returns how many count. A play holds `track`, `mark` in
-- Base64, `user` or null, `at` in milliseconds since 1970, and what insights keep, if known. One with a `quarter` tells how far
-- a play went, and counts none. Tracks are locked first, and in one order, against deadlocks.
CREATE OR REPLACE FUNCTION count_plays(p_plays jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  play record;
  counted integer[] := '{}';
  plays integer := 0;
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
    SELECT t.id AS track, decode(p->>'mark', 'base64') AS mark, (p->>'user')::bigint AS listener, a.at, n,
      p->>'quarter' IS NULL AS is_play
    FROM jsonb_array_elements(p_plays) WITH ORDINALITY AS sent (p, n) JOIN tracks t ON t.id = (p->>'track')::bigint,
      LATERAL (SELECT least(to_timestamp((p->>'at')::float8 / 1000), now()) AS at OFFSET 0) a
    -- Marks are kept half an hour longer than this, so that none is missing.
    WHERE a.at > now() - interval '6 hours'
    ORDER BY track, mark, at
  LOOP
    IF note_play(play.track, play.mark, CASE WHEN play.is_play THEN play.listener END, play.at) THEN
      counted := counted || play.n::integer;
      plays := plays + play.is_play::integer;
    END IF;
  END LOOP;
  WITH known AS (
    INSERT INTO pending_plays (track_id, hour, country, app, referrer, listener, quarter)
    SELECT (p->>'track')::bigint, date_trunc('hour', least(to_timestamp((p->>'at')::float8 / 1000), now()), 'UTC'),
      p->>'country', p->>'app', p->>'referrer', (p->>'listener')::smallint, (p->>'quarter')::smallint
    FROM jsonb_array_elements(p_plays) WITH ORDINALITY AS sent (p, n) WHERE n = ANY (counted)
    RETURNING track_id, hour, quarter)
  INSERT INTO counter_deltas (kind, subject_id, counter, hour, delta)
  SELECT 'track', k.track_id, 'playback_count', k.hour, count(*) FROM known k WHERE k.quarter IS NULL
  GROUP BY k.track_id, k.hour;
  RETURN plays;
END $$;
