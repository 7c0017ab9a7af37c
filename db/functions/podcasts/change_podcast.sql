-- Writes podcast fields of the caller's own set, or ends the podcast if `p_fields` is null. In an existing podcast, fields that
-- `p_changed` does not name stay; if it is null, fields that `p_fields` omits stay. The set's lock orders parallel changes.
CREATE OR REPLACE FUNCTION change_podcast(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_fields jsonb, p_changed text[], p_budget jsonb
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
  IF p_fields IS NULL THEN
    DELETE FROM podcasts WHERE playlist_id = p_id;
    IF FOUND THEN
      -- The feed's date must not fall back.
      UPDATE playlists SET updated_at = now() WHERE id = p_id;
    END IF;
    RETURN '{"outcome": "done"}';
  END IF;
  wanted := '{"language": "en", "explicit": false, "podcast_type": "episodic", "locked": true}' || p_fields || coalesce((
    SELECT to_jsonb(c) - coalesce(p_changed, ARRAY(SELECT jsonb_object_keys(p_fields)))
    FROM podcasts c WHERE c.playlist_id = p_id), '{}');
  IF wanted->>'category' IS NULL THEN
    RETURN '{"outcome": "no_category"}';
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  -- The set keeps it when the fields end, or when its owner empties the field.
  UPDATE playlists SET podcast_guid = (wanted->>'guid')::uuid WHERE id = p_id AND wanted->>'guid' IS NOT NULL;
  DELETE FROM podcasts WHERE playlist_id = p_id;
  INSERT INTO podcasts SELECT f.* FROM jsonb_populate_record(
    NULL::podcasts, wanted || jsonb_build_object('playlist_id', p_id, 'updated_at', now())) f;
  RETURN (SELECT jsonb_build_object('outcome', 'done', 'spent', spent,
      'podcast', (SELECT to_jsonb(c) - ARRAY['playlist_id', 'updated_at'] FROM podcasts c WHERE c.playlist_id = p.id),
      'set', jsonb_build_object('owner', u.permalink, 'permalink', p.permalink, 'private', p.sharing = 'private',
        'guid', p.podcast_guid, 'secret_sealed', encode(p.secret_sealed, 'base64')))
    FROM playlists p JOIN users u ON u.id = p.user_id WHERE p.id = p_id);
END $$;
