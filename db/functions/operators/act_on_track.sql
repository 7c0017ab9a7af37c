-- Takes a track down, puts it back, or takes its credited artists off (`p_act`). A track that is down is private, so every rule of
-- private tracks applies, and secrets and shares do not open it (`track_access_rule`). The file stays for a counter-notice. A track
-- that is put back is shared as before, at its old place in feeds, unless its owner made it private meanwhile. Nobody is notified again.
CREATE OR REPLACE FUNCTION act_on_track(p_by jsonb, p_act text, p_track bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  shared text := 'private';
  removal bigint;
BEGIN
  PERFORM require_operator(p_by);
  SELECT * INTO t FROM tracks WHERE id = p_track FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF p_act = 'uncredit' THEN
    IF t.artists IS NULL THEN
      RETURN json_build_object('outcome', 'already');
    END IF;
    -- The named users count as having declined: the owner cannot ask them again.
    UPDATE credits SET state = 'declined' WHERE track_id = p_track;
    UPDATE tracks SET artists = NULL, updated_at = now() WHERE id = p_track;
  ELSIF (p_act = 'take-down') = (t.taken_down_at IS NOT NULL) THEN
    RETURN json_build_object('outcome', 'already');
  ELSIF p_act = 'take-down' THEN
    INSERT INTO takedowns (track_id, reason, sharing) VALUES (p_track, p_by->>'reason', t.sharing);
  ELSE
    DELETE FROM takedowns WHERE track_id = p_track RETURNING sharing INTO shared;
  END IF;
  IF p_act <> 'uncredit' THEN
    UPDATE tracks SET taken_down_at = CASE p_act WHEN 'take-down' THEN now() END, sharing = shared, updated_at = now()
    WHERE id = p_track;
  END IF;
  IF p_act = 'take-down' THEN
    INSERT INTO removals (kind, user_id, track_id, name, reason) VALUES ('track', t.user_id, p_track, t.title, p_by->>'reason')
    RETURNING id INTO removal;
    PERFORM tell_of_removal(removal, 'removed', p_by->>'reason');
  ELSIF p_act = 'put-back' THEN
    PERFORM end_removal(r.id, p_by->>'reason') FROM removals r
    WHERE r.track_id = p_track AND r.kind = 'track' AND r.restored_at IS NULL;
  END IF;
  PERFORM note_act(p_by, 'track.' || p_act, 'track', p_track,
    (SELECT u.permalink || '/' || t.permalink FROM users u WHERE u.id = t.user_id),
    jsonb_build_object('title', t.title, 'user_id', t.user_id));
  RETURN json_build_object('outcome', 'done');
END $$;
