-- Returns rows of a list of an account's export behind place `p_after`, at most so many. Places have one number or two.
CREATE OR REPLACE FUNCTION exported_rows(p_user bigint, p_list text, p_after bigint[], p_most integer)
RETURNS TABLE (place bigint[], item jsonb) LANGUAGE plpgsql STABLE AS $$
DECLARE
  after CONSTANT bigint := p_after[1];
BEGIN
  CASE p_list
    WHEN 'tracks' THEN
      RETURN QUERY SELECT ARRAY[t.id], to_jsonb(t) - ARRAY['secret_hash', 'secret_sealed', 'original_key', 'media_prefix', 'media',
          'published_id', 'was_public', 'sanitizer_version']
        || jsonb_build_object('created_at', id_created_at(t.id),
          'episode', (SELECT to_jsonb(e) - 'track_id' FROM episodes e WHERE e.track_id = t.id))
      FROM tracks t WHERE t.user_id = p_user AND t.id > after ORDER BY t.id LIMIT p_most;
    WHEN 'playlists' THEN
      RETURN QUERY SELECT ARRAY[p.id], to_jsonb(p) - ARRAY['secret_hash', 'secret_sealed', 'published_id', 'was_public',
          'sanitizer_version', 'favoritings_count']
        || jsonb_build_object('created_at', id_created_at(p.id), 'likes_count', p.favoritings_count,
          'track_ids', ARRAY(SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p.id ORDER BY e.position),
          'podcast', (SELECT to_jsonb(c) - 'playlist_id' FROM podcasts c WHERE c.playlist_id = p.id))
      FROM playlists p WHERE p.user_id = p_user AND p.id > after ORDER BY p.id LIMIT p_most;
    WHEN 'favorites' THEN
      RETURN QUERY SELECT ARRAY[m.id], jsonb_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      FROM favorites m WHERE m.user_id = p_user AND m.id > after ORDER BY m.id LIMIT p_most;
    WHEN 'reposts' THEN
      RETURN QUERY SELECT ARRAY[m.id], jsonb_build_object('track_id', m.track_id, 'since', id_created_at(m.id))
      FROM reposts m WHERE m.user_id = p_user AND m.id > after ORDER BY m.id LIMIT p_most;
    WHEN 'playlist_likes' THEN
      RETURN QUERY SELECT ARRAY[m.id], jsonb_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      FROM playlist_favorites m WHERE m.user_id = p_user AND m.id > after ORDER BY m.id LIMIT p_most;
    WHEN 'playlist_reposts' THEN
      RETURN QUERY SELECT ARRAY[m.id], jsonb_build_object('playlist_id', m.playlist_id, 'since', id_created_at(m.id))
      FROM playlist_reposts m WHERE m.user_id = p_user AND m.id > after ORDER BY m.id LIMIT p_most;
    WHEN 'shares' THEN
      RETURN QUERY SELECT ARRAY[s.track_id, s.user_id], jsonb_build_object('track_id', s.track_id, 'user_id', s.user_id,
        'note', s.note, 'since', id_created_at(s.id))
      FROM tracks t JOIN track_shares s ON s.track_id = t.id
      WHERE t.user_id = p_user AND t.id >= after AND (s.track_id, s.user_id) > (after, p_after[2])
      ORDER BY s.track_id, s.user_id LIMIT p_most;
    WHEN 'shared_with_you' THEN
      RETURN QUERY SELECT ARRAY[s.id], jsonb_build_object('track_id', s.track_id, 'note', s.note, 'since', id_created_at(s.id))
      FROM track_shares s WHERE s.user_id = p_user AND s.id > after ORDER BY s.id LIMIT p_most;
    WHEN 'comments' THEN
      RETURN QUERY SELECT ARRAY[c.id], to_jsonb(c) - ARRAY['user_id', 'sanitizer_version']
        || jsonb_build_object('created_at', id_created_at(c.id))
      FROM comments c WHERE c.user_id = p_user AND c.id > after ORDER BY c.id LIMIT p_most;
    WHEN 'followings' THEN
      RETURN QUERY SELECT ARRAY[f.id], jsonb_build_object('user_id', f.followee_id, 'since', id_created_at(f.id))
      FROM followings f WHERE f.user_id = p_user AND f.id > after ORDER BY f.id LIMIT p_most;
    WHEN 'plays' THEN
      RETURN QUERY SELECT ARRAY[p.track_id], jsonb_build_object('track_id', p.track_id, 'plays', p.plays)
      FROM user_plays p WHERE p.user_id = p_user AND p.track_id > after ORDER BY p.track_id LIMIT p_most;
  END CASE;
END $$;
