-- Sets the limits of one user in place of the plan's. Null is the plan's limit, -1 none. `p_changes` names those to change.
CREATE OR REPLACE FUNCTION set_user_quota(p_by jsonb, p_user bigint, p_changes jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  wanted user_quotas;
BEGIN
  PERFORM require_operator(p_by);
  PERFORM FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  END IF;
  SELECT * INTO wanted FROM user_quotas WHERE user_id = p_user;
  wanted := jsonb_populate_record(wanted, p_changes);
  INSERT INTO user_quotas (user_id, seconds, bytes, tracks) VALUES (p_user, wanted.seconds, wanted.bytes, wanted.tracks)
  ON CONFLICT (user_id) DO UPDATE SET seconds = excluded.seconds, bytes = excluded.bytes, tracks = excluded.tracks;
  DELETE FROM user_quotas WHERE user_id = p_user AND coalesce(seconds, bytes, tracks) IS NULL;
  PERFORM note_act(p_by, 'user.quota', 'user', p_user, (SELECT permalink FROM users WHERE id = p_user), p_changes);
  RETURN json_build_object('outcome', 'done', 'quota', quota_of(p_user));
END $$;
