-- Deletes a track's rows; the sweep deletes its objects. Later writes of a running encode are already listed as
-- garbage. Locks the job before the track, like reports of encodes.
CREATE OR REPLACE FUNCTION delete_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_expected timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  gone tracks;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id WHERE t.id = p_id AND t.user_id = p_user FOR UPDATE OF j;
  SELECT * INTO gone FROM tracks WHERE id = p_id AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  IF gone.updated_at <> ALL (p_expected) THEN
    RETURN json_build_object('outcome', 'changed');
  END IF;
  DELETE FROM uploads WHERE track_id = p_id;
  DELETE FROM tracks WHERE id = p_id;
  INSERT INTO object_garbage (prefix, bucket, due_at)
  SELECT gone.original_key, 'uploads', now() UNION SELECT gone.media_prefix, 'media', now() WHERE gone.media_prefix IS NOT NULL
  ON CONFLICT (prefix) DO UPDATE SET due_at = now();
  RETURN json_build_object('outcome', 'done');
END $$;
