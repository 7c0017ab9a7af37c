-- Of a constraint Postgres reads and prepares the whole text with each statement that inserts; a vocabulary is a long one.
CREATE FUNCTION counter_exists(p_kind text, p_counter text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE p_kind
    WHEN 'track' THEN p_counter IN
      ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')
    WHEN 'playlist' THEN p_counter IN ('likes_count', 'reposts_count')
    WHEN 'user' THEN p_counter IN
      ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count')
    ELSE false
  END;
END $$;--> statement-breakpoint
ALTER TABLE "counter_deltas" DROP CONSTRAINT "counter_deltas_counter";--> statement-breakpoint
ALTER TABLE "counter_deltas" ADD CONSTRAINT "counter_deltas_counter" CHECK (counter_exists("counter_deltas"."kind", "counter_deltas"."counter"));--> statement-breakpoint
-- What is nearly always so is one statement: a live session of the user's, and a public track, which anybody may mark as long
-- as its owner is there. Whatever else it is, is asked one by one.
CREATE OR REPLACE FUNCTION mark_track_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
BEGIN
  PERFORM FROM sessions s JOIN apps a ON a.id = s.app_id JOIN users u ON u.id = s.user_id,
    tracks m JOIN users o ON o.id = m.user_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id = p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL AND u.disabled_at IS NULL
      AND m.id = p_id AND m.sharing = 'public' AND o.disabled_at IS NULL
    FOR KEY SHARE OF m;
  IF NOT FOUND THEN
    IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
      RETURN json_build_object('auth_ok', false);
    END IF;
    SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
    IF t.id IS NULL OR track_access_v1(t, p_user, p_secret_hash, p_country) = 'none' THEN
      RETURN json_build_object('auth_ok', true, 'found', false);
    END IF;
  END IF;
  CASE p_marks
    WHEN 'favorites' THEN INSERT INTO favorites (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
    WHEN 'reposts' THEN INSERT INTO reposts (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
  END CASE;
  RETURN json_build_object('auth_ok', true, 'found', true);
END $$;
