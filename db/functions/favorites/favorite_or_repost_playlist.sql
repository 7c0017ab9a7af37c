-- Adds a playlist to a user's favorites or reposts, like `favorite_or_repost_track`. Locks the playlist first.
CREATE OR REPLACE FUNCTION favorite_or_repost_playlist(
  p_session bigint, p_client text, p_user bigint, p_table text, p_id bigint, p_secret_hash bytea, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  p playlists;
  stands boolean;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO p FROM playlists WHERE id = p_id FOR KEY SHARE;
  IF p.id IS NULL OR NOT playlist_is_visible(p, p_user, p_secret_hash) THEN
    RETURN json_build_object('found', false);
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE user_id = $1 AND playlist_id = $2)', p_table)
    INTO stands USING p_user, p_id;
  IF NOT stands THEN
    spent := take_user_budget(p_budget, p_user, p_client);
    IF (spent->>'refused')::boolean IS NOT TRUE THEN
      EXECUTE format('INSERT INTO %I (user_id, playlist_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', p_table)
        USING p_user, p_id;
    END IF;
  END IF;
  RETURN json_build_object('found', true, 'spent', spent);
END $$;
