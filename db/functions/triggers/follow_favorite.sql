CREATE OR REPLACE FUNCTION follow_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner bigint;
  shown boolean;
  counted boolean;
  finished boolean;
BEGIN
  SELECT t.user_id, t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL,
    t.sharing = 'public' AND t.state = 'finished', (SELECT u.disabled_at IS NULL FROM users u WHERE u.id = new.user_id)
  INTO owner, shown, finished, counted
  FROM tracks t JOIN users o ON o.id = t.user_id WHERE t.id = new.track_id;

  IF shown AND counted THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES
      ('track', new.track_id, 'favoritings_count', 1), ('user', new.user_id, 'public_favorites_count', 1);
  ELSE
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'track', new.track_id, 'favoritings_count', 1 WHERE counted
    UNION ALL SELECT 'user', new.user_id, 'public_favorites_count', 1 WHERE shown;
  END IF;

  -- Posts a track to each connection once.
  IF finished AND EXISTS (SELECT FROM connections c WHERE c.user_id = new.user_id AND c.post_favorite) THEN
    INSERT INTO connection_posts (connection_id, track_id, kind)
    SELECT c.id, new.track_id, 'favorite' FROM connections c WHERE c.user_id = new.user_id AND c.post_favorite
    FOR KEY SHARE OF c
    ON CONFLICT DO NOTHING;
  END IF;

  -- Users are not notified of their own actions.
  IF owner <> new.user_id THEN
    INSERT INTO activities (id, user_id, about, actor_id, favored_track_id)
    VALUES (new.id, owner, 'own', new.user_id, new.track_id);
    IF is_told(owner) THEN
      PERFORM tell_webhooks(owner, 'like.created', format('track %s by %s', t.id, new.user_id),
        jsonb_build_object('track', event_track(t), 'user', mini_user(new.user_id)))
      FROM tracks t WHERE t.id = new.track_id;
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER new_favorites_are_followed AFTER INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION follow_favorite();
