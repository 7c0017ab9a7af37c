-- Reports new followers, comments, playlist favorites, ended encodes and publications at their time to webhooks. Users are not
-- notified of their own acts, nor of a comment that an operator restores, nor of the encodes of a podcast that moves in: receivers
-- would take hundreds of old ones for new.
CREATE OR REPLACE FUNCTION tell_webhooks_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'followings' THEN
      PERFORM tell_webhooks(new.followee_id, 'follow.created', 'by ' || new.user_id,
        jsonb_build_object('user', mini_user(new.user_id)))
      WHERE is_told(new.followee_id);
    WHEN 'comments' THEN
      PERFORM tell_webhooks(t.user_id, 'comment.created', NULL, jsonb_build_object('track', event_track(t),
        'user', mini_user(new.user_id),
        'comment', jsonb_build_object('id', new.id, 'body', new.body, 'timestamp_ms', new.timestamp_ms,
          'parent_id', new.parent_id)))
      FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id AND is_told(t.user_id);
    WHEN 'playlist_favorites' THEN
      PERFORM tell_webhooks(p.user_id, 'like.created', format('playlist %s by %s', p.id, new.user_id), jsonb_build_object(
        'user', mini_user(new.user_id), 'playlist', jsonb_build_object('id', p.id, 'title', p.title, 'permalink', p.permalink,
          'owner_permalink', o.permalink, 'sharing', p.sharing)))
      FROM playlists p JOIN users o ON o.id = p.user_id
      WHERE p.id = new.playlist_id AND p.user_id <> new.user_id AND is_told(p.user_id);
    WHEN 'tracks' THEN
      IF old.sharing <> new.sharing THEN
        PERFORM tell_webhooks(new.user_id, 'track.published', NULL, jsonb_build_object('track', event_track(new)))
        WHERE is_told(new.user_id);
        RETURN NULL;
      END IF;
      PERFORM tell_webhooks(new.user_id, 'track.' || new.state, NULL, jsonb_build_object('track', event_track(new), 'reason',
        CASE new.state WHEN 'failed' THEN (SELECT j.failure_reason FROM encoding_jobs j WHERE j.track_id = new.id) END))
      WHERE is_told(new.user_id) AND NOT EXISTS (SELECT FROM episodes e WHERE e.track_id = new.id AND e.guid IS NOT NULL);
  END CASE;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON followings FOR EACH ROW EXECUTE FUNCTION tell_webhooks_of_change();
CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON comments FOR EACH ROW
WHEN (current_setting('soundpost.restores', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION tell_webhooks_of_change();
CREATE OR REPLACE TRIGGER webhooks_are_told AFTER INSERT ON playlist_favorites FOR EACH ROW
EXECUTE FUNCTION tell_webhooks_of_change();
CREATE OR REPLACE TRIGGER webhooks_are_told AFTER UPDATE OF state ON tracks FOR EACH ROW
WHEN (old.state = 'processing' AND new.state IN ('finished', 'failed')) EXECUTE FUNCTION tell_webhooks_of_change();
CREATE OR REPLACE TRIGGER webhooks_are_told_of_publication AFTER UPDATE OF sharing ON tracks FOR EACH ROW
WHEN (old.sharing = 'private' AND new.sharing = 'public' AND old.publish_at <= now()) EXECUTE FUNCTION tell_webhooks_of_change();
