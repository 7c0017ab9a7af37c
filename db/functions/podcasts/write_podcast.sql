-- Writes a set's podcast fields, or removes them if `p_podcast` is null. The caller has locked the set.
CREATE OR REPLACE FUNCTION write_podcast(p_set bigint, p_podcast jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM podcasts WHERE playlist_id = p_set;
  IF p_podcast IS NOT NULL THEN
    -- Workers of an older release send no `locked`.
    INSERT INTO podcasts (playlist_id, author, owner_name, owner_email, category, language, explicit, podcast_type, locked,
      new_feed_url, guid)
    SELECT p_set, f.author, f.owner_name, f.owner_email, f.category, f.language, f.explicit, f.podcast_type,
      coalesce(f.locked, true), f.new_feed_url, f.guid
    FROM jsonb_to_record(p_podcast) AS f (author text, owner_name text, owner_email text, category text, language text,
      explicit boolean, podcast_type text, locked boolean, new_feed_url text, guid uuid);
  ELSIF FOUND THEN
    -- The feed's date must not fall back.
    UPDATE playlists SET updated_at = now() WHERE id = p_set;
  END IF;
END $$;
