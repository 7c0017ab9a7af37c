-- Returns the permalink for a user's track or playlist (`p_kind`), numbered if another one has it or had it. `p_id` is the one
-- that may return to its own former permalink, or null. The caller holds the lock that orders the user's choices.
CREATE OR REPLACE FUNCTION free_permalink(p_kind text, p_user bigint, p_wanted text, p_id bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  link text := p_wanted;
BEGIN
  FOR n IN 1 .. 20 LOOP
    IF p_kind = 'track' THEN
      EXIT WHEN NOT EXISTS (SELECT FROM tracks t WHERE t.user_id = p_user AND t.permalink = link AND t.id IS DISTINCT FROM p_id)
        AND NOT EXISTS (SELECT FROM former_addresses f
          WHERE f.user_id = p_user AND f.permalink = link AND f.track_id IS NOT NULL AND f.track_id IS DISTINCT FROM p_id);
    ELSE
      EXIT WHEN NOT EXISTS (SELECT FROM playlists p WHERE p.user_id = p_user AND p.permalink = link AND p.id IS DISTINCT FROM p_id)
        AND NOT EXISTS (SELECT FROM former_addresses f
          WHERE f.user_id = p_user AND f.permalink = link AND f.playlist_id IS NOT NULL AND f.playlist_id IS DISTINCT FROM p_id);
    END IF;
    -- After a few collisions the time-ordered id makes it unique.
    link := p_wanted || '-' || CASE WHEN n < 10 THEN n ELSE next_id() END;
  END LOOP;
  RETURN link;
END $$;
