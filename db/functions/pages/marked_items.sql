-- Returns what a user liked (`favorites`) or reposted (`reposts`) below a place and the reader sees, newest first.
CREATE OR REPLACE FUNCTION marked_items(p_marks text, p_owner bigint, p_below bigint, p_reader bigint, p_limit integer)
RETURNS TABLE (id bigint, track_id bigint, playlist_id bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format('
    (SELECT m.id, m.track_id, NULL::bigint FROM %1$I m JOIN tracks t ON t.id = m.track_id JOIN users o ON o.id = t.user_id
      WHERE m.user_id = $1 AND m.id < $2
        AND (t.user_id = $3 OR t.sharing = ''public'' AND t.state <> ''failed'' AND o.disabled_at IS NULL)
      ORDER BY m.id DESC LIMIT $4)
    UNION ALL
    (SELECT m.id, NULL, m.playlist_id FROM %2$I m JOIN playlists p ON p.id = m.playlist_id JOIN users o ON o.id = p.user_id
      WHERE m.user_id = $1 AND m.id < $2 AND (p.user_id = $3 OR p.sharing = ''public'' AND o.disabled_at IS NULL)
      ORDER BY m.id DESC LIMIT $4)
    ORDER BY 1 DESC LIMIT $4', p_marks, 'playlist_' || p_marks) USING p_owner, p_below, p_reader, p_limit;
END $$;
