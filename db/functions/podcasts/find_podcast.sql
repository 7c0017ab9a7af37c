-- Finds an owner's own set with its podcast's fields, which are null until the owner first saved them.
CREATE OR REPLACE FUNCTION find_podcast(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN (
    SELECT json_build_object('id', p.id, 'title', p.title, 'username', u.username, 'private', p.sharing = 'private',
      'secret_sealed', encode(p.secret_sealed, 'base64'), 'has_artwork', p.artwork_version IS NOT NULL,
      'podcast', (SELECT to_jsonb(c) - ARRAY['playlist_id', 'updated_at'] FROM podcasts c WHERE c.playlist_id = p.id))
    FROM playlists p JOIN users u ON u.id = p.user_id
    WHERE p.id = linked_id('playlist', p_owner, p_permalink) AND p.user_id = p_user);
END $$;
