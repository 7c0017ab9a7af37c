-- Before the first byte is stored. As long as an upload may take, in case it brings a track's picture along.
CREATE OR REPLACE FUNCTION list_image(p_session bigint, p_client text, p_user bigint, p_prefix text) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO object_garbage (prefix, bucket, due_at) VALUES (p_prefix, 'media', now() + interval '48 hours');
  RETURN '{}';
END $$;
