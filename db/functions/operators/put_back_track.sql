-- Shares a track again as before its takedown, unless its owner made it private meanwhile, at its old place in feeds. It is
-- announced to nobody a second time.
CREATE OR REPLACE FUNCTION put_back_track(p_by jsonb, p_track bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  shared text;
BEGIN
  PERFORM begin_act(p_by);
  SELECT * INTO t FROM tracks WHERE id = p_track FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  DELETE FROM takedowns WHERE track_id = p_track RETURNING sharing INTO shared;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'already', 'track', moderated_track(t));
  END IF;
  UPDATE tracks SET taken_down_at = NULL, sharing = shared, updated_at = now() WHERE id = p_track RETURNING * INTO t;
  PERFORM note_act(p_by, 'track.put-back', 'track', p_track,
    (SELECT u.permalink || '/' || t.permalink FROM users u WHERE u.id = t.user_id),
    jsonb_build_object('title', t.title, 'user_id', t.user_id));
  RETURN json_build_object('outcome', 'done', 'track', moderated_track(t));
END $$;
