-- Changes podcast fields of the caller's own set by `p_changes`; what it omits stays. The set's lock orders parallel changes.
CREATE OR REPLACE FUNCTION change_podcast(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_budget jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted jsonb;
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM playlists WHERE id = p_id AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  wanted := '{"language": "en", "explicit": false, "podcast_type": "episodic", "locked": true}'
    || coalesce((SELECT to_jsonb(c) FROM podcasts c WHERE c.playlist_id = p_id), '{}') || p_changes;
  IF wanted->>'category' IS NULL THEN
    RETURN '{"outcome": "no_category"}';
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  PERFORM write_podcast(p_id, wanted);
  RETURN podcast_reply(p_id) || jsonb_build_object('spent', spent);
END $$;
