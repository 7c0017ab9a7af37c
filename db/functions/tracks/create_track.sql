-- Creates one track per upload; repeated calls return the first. The row lock orders parallel requests.
CREATE OR REPLACE FUNCTION create_track(
  p_session bigint, p_client text, p_user bigint, p_upload bigint, p_track jsonb, p_permalink text,
  p_secret_hash bytea, p_secret_sealed bytea
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  source uploads;
  made tracks;
  wanted tracks;
  fault text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO source FROM uploads WHERE id = p_upload AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown_upload');
  END IF;
  IF source.status = 'used' THEN
    SELECT * INTO made FROM tracks WHERE id = source.track_id;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'unknown_upload');
    END IF;
    RETURN json_build_object('outcome', 'exists', 'track', track_row(made, p_user, 'playable'));
  END IF;
  -- An upload that was ended while this statement waited for it ends at a later time than `now()`.
  IF source.status <> 'ready' OR source.expires_at <= clock_timestamp() THEN
    RETURN json_build_object('outcome', 'not_ready',
      'status', CASE source.status WHEN 'ready' THEN 'expired' ELSE upload_row(source)->>'status' END);
  END IF;
  wanted := jsonb_populate_record(NULL::tracks, p_track);
  wanted.user_id := p_user;
  wanted.app_id := source.app_id;
  PERFORM lock_permalinks(p_user);
  fault := track_fault(wanted, p_track);
  IF fault IS NOT NULL THEN
    RETURN json_build_object('outcome', fault);
  END IF;
  made := insert_track(wanted, p_permalink, p_secret_hash, p_secret_sealed, source.object_key, source.filename, source.size);
  UPDATE uploads SET status = 'used', track_id = made.id WHERE id = source.id;
  DELETE FROM object_garbage WHERE prefix = source.object_key;
  RETURN json_build_object('outcome', 'created', 'track', track_row(made, p_user, 'playable'));
END $$;
