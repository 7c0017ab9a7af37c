-- Writes a set's podcast fields, or removes them if `p_podcast` is null. Fields that `p_unchanged` names stay as they are if the
-- set is a podcast. False unless the set is the caller's own.
CREATE OR REPLACE FUNCTION save_podcast(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text, p_podcast jsonb, p_unchanged text[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT p.id INTO own FROM playlists p
  WHERE p.id = linked_id('playlist', p_owner, p_permalink) AND p.user_id = p_user FOR UPDATE;
  IF own IS NULL THEN
    RETURN false;
  END IF;
  PERFORM write_podcast(own, p_podcast || coalesce((
    SELECT jsonb_object_agg(f.key, f.value) FROM podcasts c, jsonb_each(to_jsonb(c)) f
    WHERE c.playlist_id = own AND f.key = ANY (p_unchanged)), '{}'));
  RETURN true;
END $$;
