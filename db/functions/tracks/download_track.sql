-- Returns the key of the original: in any state for the owner, for others if downloadable and found to be audio.
CREATE OR REPLACE FUNCTION download_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_counts boolean
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  access text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO t FROM tracks WHERE id = p_id;
  access := CASE WHEN FOUND THEN track_access(t, p_user, p_secret_hash, p_country) ELSE 'none' END;
  IF access = 'none' THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF t.sharing = 'private' AND p_user IS NULL THEN
    RETURN json_build_object('outcome', 'needs_user');
  ELSIF t.user_id IS DISTINCT FROM p_user AND NOT (t.downloadable AND t.state = 'finished') THEN
    RETURN json_build_object('outcome', 'not_downloadable');
  ELSIF access <> 'playable' THEN
    RETURN json_build_object('outcome', 'blocked');
  END IF;
  IF p_counts THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('track', p_id, 'download_count', 1);
  END IF;
  RETURN json_build_object('outcome', 'done', 'key', t.original_key, 'filename', t.original_filename);
END $$;
