-- Opens an upload. The lock makes the limit exact, because parallel requests see each other's uploads.
CREATE OR REPLACE FUNCTION open_upload(
  p_session bigint, p_client text, p_user bigint, p_upload jsonb, p_object_key text, p_open_limit integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  opened uploads;
  refusal jsonb;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM pg_advisory_xact_lock(hashtext('open_upload'), hashint8(p_user));
  -- A repeated statement is recognized by its key, which is new for each request.
  SELECT * INTO opened FROM uploads WHERE object_key = p_object_key AND user_id = p_user;
  IF NOT FOUND THEN
    IF (SELECT count(*) FROM uploads WHERE user_id = p_user AND status IN ('open', 'completing') AND expires_at > now()
        -- Uploads that storage did not answer within a minute were lost with their request.
        AND (storage_upload_id IS NOT NULL OR created_at > now() - interval '1 minute')) >= p_open_limit THEN
      RETURN json_build_object('outcome', 'too_many');
    END IF;
    refusal := quota_refusal(p_user, (p_upload->>'size')::bigint);
    IF refusal IS NOT NULL THEN
      RETURN json_build_object('outcome', 'over_quota', 'quota', refusal);
    END IF;
    INSERT INTO uploads (user_id, app_id, filename, size, type, last_modified, part_size, part_count, object_key, expires_at)
    VALUES (p_user, (SELECT id FROM apps WHERE client_id = p_client), p_upload->>'filename', (p_upload->>'size')::bigint,
      p_upload->>'type', (p_upload->>'last_modified')::bigint, (p_upload->>'part_size')::integer,
      (p_upload->>'part_count')::integer, p_object_key, now() + interval '24 hours')
    RETURNING * INTO opened;
    INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '48 hours');
  END IF;
  RETURN json_build_object('outcome', 'opened', 'upload', to_jsonb(opened) - 'app_id' || jsonb_build_object('created_at',
    id_created_at(opened.id), 'status', CASE WHEN opened.status IN ('open', 'completing', 'ready') AND opened.expires_at <= now()
      THEN 'expired' ELSE opened.status END));
END $$;
