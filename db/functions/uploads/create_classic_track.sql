-- Creates a ready upload and its track for a stored object, in one transaction. Repeating it returns the same track.
CREATE OR REPLACE FUNCTION create_classic_track(
  p_session bigint, p_client text, p_user bigint, p_object_key text, p_filename text, p_size bigint, p_type text,
  p_track jsonb, p_permalink text, p_secret_hash bytea, p_secret_sealed bytea,
  p_credit_budget jsonb DEFAULT NULL
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- A part's size is an integer, and a file may have more bytes than that holds.
  largest_part CONSTANT integer := 1 << 30;
  received bigint;
  refusal jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT id INTO received FROM uploads WHERE object_key = p_object_key AND user_id = p_user;
  IF NOT FOUND THEN
    -- After its due time the sweep may be deleting the object.
    PERFORM FROM object_garbage WHERE prefix = p_object_key AND due_at > now() FOR UPDATE;
    IF NOT FOUND THEN
      RETURN json_build_object('outcome', 'not_ready', 'status', 'expired');
    END IF;
    refusal := quota_refusal(p_user, p_size);
    IF refusal IS NOT NULL THEN
      RETURN json_build_object('outcome', 'over_quota', 'quota', refusal);
    END IF;
    INSERT INTO uploads (user_id, app_id, filename, size, type, status, part_size, part_count, object_key, expires_at)
    VALUES (p_user, (SELECT id FROM apps WHERE client_id = p_client), p_filename, p_size, p_type, 'ready',
      least(p_size, largest_part), ceil(p_size / largest_part::float8), p_object_key, now() + interval '24 hours')
    RETURNING id INTO received;
  END IF;
  RETURN create_track(p_session, p_client, p_user, received, p_track, p_permalink, p_secret_hash, p_secret_sealed,
    p_credit_budget);
END $$;
