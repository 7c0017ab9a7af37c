-- A like is a favorite here, whatever it is called on the wire.
ALTER TABLE playlist_likes RENAME TO playlist_favorites;
ALTER TABLE playlist_favorites RENAME CONSTRAINT playlist_likes_user_id_playlist_id_pk TO playlist_favorites_user_id_playlist_id_pk;
ALTER TABLE playlist_favorites RENAME CONSTRAINT playlist_likes_user_id_users_id_fk TO playlist_favorites_user_id_users_id_fk;
ALTER TABLE playlist_favorites RENAME CONSTRAINT playlist_likes_playlist_id_playlists_id_fk TO playlist_favorites_playlist_id_playlists_id_fk;
ALTER INDEX playlist_likes_playlist_id_idx RENAME TO playlist_favorites_playlist_id_idx;
ALTER INDEX playlist_likes_user_id_idx RENAME TO playlist_favorites_user_id_idx;
ALTER TABLE playlists RENAME COLUMN likes_count TO favoritings_count;

CREATE OR REPLACE FUNCTION counter_exists(p_kind text, p_counter text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE p_kind
    WHEN 'track' THEN p_counter IN
      ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')
    WHEN 'playlist' THEN p_counter IN ('favoritings_count', 'reposts_count')
    WHEN 'user' THEN p_counter IN
      ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count',
        'reposts_count', 'comments_count')
    ELSE false
  END;
END $$;
UPDATE counter_deltas SET counter = 'favoritings_count' WHERE kind = 'playlist' AND counter = 'likes_count';

-- CREATE OR REPLACE cannot rename a parameter.
DROP FUNCTION IF EXISTS find_favorite(bigint, text, bigint, bigint, bigint, bytea, text);

-- A sandbox's snapshot copies tables by name.
ALTER TABLE IF EXISTS snapshot.playlist_likes RENAME TO playlist_favorites;
ALTER TABLE IF EXISTS snapshot.playlists RENAME COLUMN likes_count TO favoritings_count;
DO $$ BEGIN
  IF to_regclass('snapshot.counter_deltas') IS NOT NULL THEN
    UPDATE snapshot.counter_deltas SET counter = 'favoritings_count' WHERE kind = 'playlist' AND counter = 'likes_count';
  END IF;
END $$;
