-- Indexes anew the rows that the migration before spells differently. One migration for both would miss rows written meanwhile.
DO $$
DECLARE
  -- In names and labels, then in all texts.
  joined CONSTANT text := U&'[[:alnum:]$][''!/-][[:alnum:]$]|[$&+\2018\2019\2010\2011]';
  folded CONSTANT text := U&'[ĦħŦŧŊŋƏəƐɛƆɔƁɓƊɗƘƙ\02BB\02BC\0620-\06FF\0929\0931\0934\093C\0958-\095F\FB50-\FEFC]';
BEGIN
  UPDATE users SET city = city WHERE concat_ws(' ', username, permalink, full_name) ~ joined COLLATE pg_c_utf8
    OR concat_ws(' ', username, full_name, city, description) ~ folded;
  -- A new database has no functions yet, and nothing to index.
  IF to_regproc('index_track') IS NOT NULL THEN
    PERFORM index_track(t) FROM (
      SELECT o FROM tracks o JOIN users u ON u.id = o.user_id
      WHERE concat_ws(' ', o.title, o.artist, o.genre, o.tag_list, u.username) ~ joined COLLATE pg_c_utf8
        OR concat_ws(' ', o.title, o.artist, o.genre, o.tag_list, o.description, u.username) ~ folded
      FOR NO KEY UPDATE OF o) AS held(t);
    PERFORM index_playlist(p) FROM (
      SELECT o FROM playlists o JOIN users u ON u.id = o.user_id
      WHERE concat_ws(' ', o.title, o.genre, o.tag_list, u.username) ~ joined COLLATE pg_c_utf8
        OR concat_ws(' ', o.title, o.genre, o.tag_list, o.description, u.username) ~ folded
      FOR NO KEY UPDATE OF o) AS held(p);
  END IF;
END $$;
