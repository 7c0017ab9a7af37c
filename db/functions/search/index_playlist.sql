-- Indexes a playlist with the weights of tracks: A title and username, B genre and tags, D description.
CREATE OR REPLACE FUNCTION index_playlist(p playlists) RETURNS void LANGUAGE sql AS $$
  INSERT INTO playlist_search AS s
  SELECT p.id, p.user_id, p.sharing = 'public' AND o.disabled_at IS NULL,
    search_vector('A', ARRAY[p.title, o.username])
    || search_vector('B', p.genre || ARRAY(SELECT tags_of(p.tag_list)))
    || search_vector('D', ARRAY[regexp_replace(p.description, '<[^>]*>|&[a-z0-9#]+;', ' ', 'gi')])
  FROM users o WHERE o.id = p.user_id
  ON CONFLICT (id) DO UPDATE SET public = excluded.public, document = excluded.document
$$;
