-- Takes a track down. It becomes private, so that every rule of private tracks applies, and secrets and shares open it no
-- more (`track_access_rule`). The file stays for a counter-notice.
CREATE OR REPLACE FUNCTION take_down_track(p_by jsonb, p_track bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO t FROM tracks WHERE id = p_track FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF t.taken_down_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'already', 'track', moderated_track(t));
  END IF;
  INSERT INTO takedowns (track_id, reason, sharing) VALUES (p_track, p_by->>'reason', t.sharing);
  UPDATE tracks SET taken_down_at = now(), sharing = 'private', updated_at = now() WHERE id = p_track RETURNING * INTO t;
  PERFORM note_act(p_by, 'track.take-down', 'track', p_track,
    (SELECT u.permalink || '/' || t.permalink FROM users u WHERE u.id = t.user_id),
    jsonb_build_object('title', t.title, 'user_id', t.user_id));
  RETURN json_build_object('outcome', 'done', 'track', moderated_track(t));
END $$;
