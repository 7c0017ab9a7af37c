-- Finds an owner's own track with the fields that only feeds show, null until the owner first saved them.
CREATE OR REPLACE FUNCTION find_episode(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN (
    SELECT json_build_object('id', t.id, 'title', t.title,
      'episode', (SELECT to_jsonb(e) - ARRAY['track_id', 'updated_at'] FROM episodes e WHERE e.track_id = t.id))
    FROM tracks t WHERE t.id = linked_id('track', p_owner, p_permalink) AND t.user_id = p_user);
END $$;
