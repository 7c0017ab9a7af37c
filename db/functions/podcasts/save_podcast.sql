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
  DELETE FROM podcasts WHERE playlist_id = own;
  IF p_podcast IS NOT NULL THEN
    INSERT INTO podcasts (playlist_id, author, owner_name, owner_email, category, language, explicit, podcast_type)
    SELECT own, f.author, f.owner_name, f.owner_email, f.category, f.language, f.explicit, f.podcast_type
    FROM jsonb_to_record(p_podcast) AS f (author text, owner_name text, owner_email text, category text, language text,
      explicit boolean, podcast_type text);
  ELSE
    -- The feed's date must not fall back.
    UPDATE playlists SET updated_at = now() WHERE id = own;
  END IF;
  RETURN true;
END $$;
