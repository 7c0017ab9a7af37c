-- Lists a prefix as garbage before its first object is stored. It is due after the longest upload, which may bring a
-- track's artwork.
CREATE OR REPLACE FUNCTION list_image(p_session bigint, p_client text, p_user bigint, p_prefix text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_prefix, 'media', now() + interval '48 hours');
  RETURN '{}';
END $$;
