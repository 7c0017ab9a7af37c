-- Classic upload. Until a track is made of it, the object is garbage: a request that ends early leaves nothing for long.
CREATE OR REPLACE FUNCTION begin_classic_upload(p_session bigint, p_client text, p_user bigint, p_object_key text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_object_key, 'uploads', now() + interval '24 hours');
  RETURN '{}';
END $$;
