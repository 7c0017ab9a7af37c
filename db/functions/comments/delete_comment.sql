-- Deletes a comment for its author or the track's owner. Authors may always withdraw what they said.
CREATE OR REPLACE FUNCTION delete_comment(
  p_session bigint, p_client text, p_user bigint, p_track bigint, p_id bigint, p_secret_hash bytea, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  left_alone text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  DELETE FROM comments c USING tracks t
  WHERE c.id = p_id AND c.track_id = p_track AND t.id = p_track AND p_user IN (c.user_id, t.user_id)
    AND (p_expected IS NULL OR c.updated_at = ANY (p_expected));
  IF FOUND THEN
    RETURN json_build_object('outcome', 'done');
  END IF;
  SELECT CASE WHEN p_user IN (c.user_id, t.user_id) THEN 'changed' ELSE 'not_yours' END INTO left_alone
  FROM comments c JOIN tracks t ON t.id = c.track_id
  WHERE c.id = p_id AND c.track_id = p_track
    AND (p_user IN (c.user_id, t.user_id) OR sees_comment(c, p_user, p_secret_hash));
  RETURN json_build_object('outcome', coalesce(left_alone, 'unknown'));
END $$;
