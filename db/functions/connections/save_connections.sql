-- Saves all profiles of an attempt, or none if its session ended. A known profile keeps its id, and its settings unless
-- the request set them. Repeating it has the same effect.
CREATE OR REPLACE FUNCTION save_connections(p_session bigint, p_client text, p_user bigint, p_state_hash text, p_found jsonb)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  live boolean := session_is_live(p_session, p_client, p_user);
  attempt connection_attempts;
BEGIN
  UPDATE connection_attempts SET succeeded = live AND jsonb_array_length(p_found) > 0
  WHERE state_hash = p_state_hash AND session_id = p_session AND taken_at IS NOT NULL AND succeeded IS NOT FALSE
  RETURNING * INTO attempt;
  IF attempt.succeeded THEN
    INSERT INTO connections (user_id, service, external_id, display_name, tokens_sealed, post_favorite, post_publish)
    SELECT p_user, f.service, f.external_id, f.display_name, f.tokens_sealed, coalesce(attempt.post_favorite, false),
      coalesce(attempt.post_publish, false)
    FROM jsonb_populate_recordset(NULL::connections, p_found) f
    -- A common order keeps concurrent attempts from deadlocking.
    ORDER BY f.service, f.external_id
    ON CONFLICT (user_id, service, external_id) DO UPDATE SET display_name = excluded.display_name,
      tokens_sealed = excluded.tokens_sealed, post_favorite = coalesce(attempt.post_favorite, connections.post_favorite),
      post_publish = coalesce(attempt.post_publish, connections.post_publish), updated_at = now(),
      -- A running job has older tokens. It no longer renews them, and a refusal of them ends nothing.
      leased_until = connections.leased_until + interval '1 microsecond';
  END IF;
  RETURN json_build_object('saved', coalesce(attempt.succeeded, false));
END $$;
