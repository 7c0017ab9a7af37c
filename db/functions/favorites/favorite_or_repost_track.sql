-- Adds a track to a user's favorites or reposts. An existing one counts against no budget. One statement covers the usual case,
-- a live session and a public track. All other cases are checked step by step.
CREATE OR REPLACE FUNCTION favorite_or_repost_track(
  p_session bigint, p_client text, p_user bigint, p_table text, p_id bigint, p_secret_hash bytea, p_country text, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  spent jsonb;
BEGIN
  PERFORM FROM sessions s JOIN apps a ON a.id = s.app_id JOIN users u ON u.id = s.user_id,
    tracks m JOIN users o ON o.id = m.user_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id = p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL AND u.disabled_at IS NULL
      AND m.id = p_id AND m.sharing = 'public' AND o.disabled_at IS NULL
    FOR KEY SHARE OF m;
  IF NOT FOUND THEN
    PERFORM require_session(p_session, p_client, p_user);
    SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
    IF t.id IS NULL OR track_access(t, p_user, p_secret_hash, p_country) = 'none' THEN
      RETURN json_build_object('found', false);
    END IF;
  END IF;
  CASE p_table
    WHEN 'favorites' THEN PERFORM FROM favorites WHERE user_id = p_user AND track_id = p_id;
    WHEN 'reposts' THEN PERFORM FROM reposts WHERE user_id = p_user AND track_id = p_id;
  END CASE;
  IF NOT FOUND THEN
    spent := take_user_budget(p_budget, p_user, p_client);
    IF (spent->>'refused')::boolean IS NOT TRUE THEN
      CASE p_table
        WHEN 'favorites' THEN INSERT INTO favorites (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
        WHEN 'reposts' THEN INSERT INTO reposts (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
      END CASE;
    END IF;
  END IF;
  RETURN json_build_object('found', true, 'spent', spent);
END $$;
