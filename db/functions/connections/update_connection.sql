-- Changes a connection. `p_changes` holds columns, `p_expected` the accepted values of `updated_at`, or null.
CREATE OR REPLACE FUNCTION update_connection(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  stored connections;
  wanted connections;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO stored FROM connections c WHERE c.id = p_id AND c.user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF stored.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('outcome', 'changed');
  END IF;
  wanted := jsonb_populate_record(stored, p_changes);
  IF wanted IS DISTINCT FROM stored THEN
    UPDATE connections SET post_favorite = wanted.post_favorite, post_publish = wanted.post_publish, updated_at = now()
    WHERE id = p_id;
  END IF;
  RETURN json_build_object('outcome', 'done', 'connection', connection_rows(ARRAY[p_id])->0);
END $$;
