-- Checks the session and lists the object as garbage until it becomes a track. A request that breaks off then leaves
-- nothing for long.
CREATE OR REPLACE FUNCTION begin_classic_upload(p_session bigint, p_client text, p_user bigint, p_object_key text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '24 hours');
  RETURN '{}';
END $$;
