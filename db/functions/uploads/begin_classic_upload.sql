-- Checks the session and lists the object as garbage until it becomes a track. A request that breaks off then leaves
-- nothing for long. Tells why the quota takes no file, and how many bytes it leaves; null if there is no limit.
CREATE OR REPLACE FUNCTION begin_classic_upload(p_session bigint, p_client text, p_user bigint, p_object_key text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '24 hours');
  RETURN json_build_object('refusal', quota_refusal(p_user, 1), 'most_bytes', l.bytes, 'bytes_left',
    CASE WHEN l.bytes IS NOT NULL THEN l.bytes - (quota_of(p_user)->>'bytes_used')::bigint END)
    FROM quota_limits(p_user) l;
END $$;
