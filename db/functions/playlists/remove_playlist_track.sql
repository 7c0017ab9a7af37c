CREATE OR REPLACE FUNCTION remove_playlist_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_track bigint, p_expected timestamptz[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored playlists;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO stored FROM playlists WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT FROM tracks t WHERE t.id = p_track AND track_access(t, p_user, NULL, NULL) <> 'none')
      THEN not_own_playlist(p_user, p_id) ELSE '{"outcome": "not_held"}' END;
  END IF;
  IF stored.updated_at <> ALL (p_expected) THEN
    RETURN jsonb_build_object('outcome', 'changed');
  END IF;
  DELETE FROM playlist_tracks WHERE playlist_id = p_id AND track_id = p_track;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'not_held');
  END IF;
  UPDATE playlists SET updated_at = now() WHERE id = p_id;
  RETURN jsonb_build_object('outcome', 'done');
END $$;
