-- Returns a track's fields that only feeds show, null until first saved, and what its chapters are read from.
CREATE OR REPLACE FUNCTION episode_reply(p_track bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('outcome', 'done',
    'episode', (SELECT to_jsonb(e) - ARRAY['track_id', 'updated_at'] FROM episodes e WHERE e.track_id = t.id),
    'track', jsonb_build_object('description', t.description, 'duration_ms', t.duration_ms))
  FROM tracks t WHERE t.id = p_track
$$;
