-- Writes the fields of a track that only feeds show; what `p_episode` omits stays. False unless the track is the caller's own.
CREATE OR REPLACE FUNCTION save_episode(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text, p_episode jsonb
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT t.id INTO own FROM tracks t
  WHERE t.id = linked_id('track', p_owner, p_permalink) AND t.user_id = p_user FOR NO KEY UPDATE;
  IF own IS NULL THEN
    RETURN false;
  END IF;
  PERFORM write_episode(own, p_episode);
  RETURN true;
END $$;
