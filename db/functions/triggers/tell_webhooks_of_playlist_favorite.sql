-- Users are not told of their own favorites.
CREATE OR REPLACE FUNCTION tell_webhooks_of_playlist_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_webhooks(p.user_id, 'like.created', format('playlist %s by %s', p.id, new.user_id), jsonb_build_object(
    'user', mini_user(new.user_id), 'playlist', jsonb_build_object('id', p.id, 'title', p.title, 'permalink', p.permalink,
      'owner_permalink', o.permalink, 'sharing', p.sharing)))
  FROM playlists p JOIN users o ON o.id = p.user_id
  WHERE p.id = new.playlist_id AND p.user_id <> new.user_id AND is_told(p.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON playlist_favorites FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_playlist_favorite();
