-- Replaces the whole list of shares. Users who stay keep their rows, so that they receive no new activity. Only new ones count
-- against the budget.
CREATE OR REPLACE FUNCTION replace_track_shares(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_users bigint[], p_note text, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  IF EXISTS (SELECT FROM unnest(p_users) AS named (id) WHERE named.id = p_user
      OR NOT EXISTS (SELECT FROM users u WHERE u.id = named.id AND u.disabled_at IS NULL)) THEN
    RETURN json_build_object('outcome', 'unknown_user');
  END IF;
  IF EXISTS (SELECT FROM unnest(p_users) AS named (id)
      WHERE NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = p_id AND s.user_id = named.id)) THEN
    spent := take_user_budget(p_budget, p_user, p_client);
    IF (spent->>'refused')::boolean THEN
      RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
    END IF;
  END IF;
  DELETE FROM track_shares WHERE track_id = p_id AND user_id <> ALL (p_users);
  INSERT INTO track_shares (track_id, user_id, note) SELECT DISTINCT p_id, named.id, p_note FROM unnest(p_users) AS named (id)
  ON CONFLICT (track_id, user_id) DO UPDATE SET note = excluded.note;
  RETURN json_build_object('outcome', 'done', 'spent', spent);
END $$;
