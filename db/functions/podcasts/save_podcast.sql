-- Writes a set's podcast fields, or removes them if `p_podcast` is null. False unless the set is the caller's own.
CREATE OR REPLACE FUNCTION save_podcast(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text, p_podcast jsonb
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
  PERFORM write_podcast(own, p_podcast);
  RETURN true;
END $$;
