-- Returns listed playlists that fit the filter, newest first, from `p_from` to before `p_to`. A place is the id of the
-- mark in lists of marks, otherwise of the playlist.
CREATE OR REPLACE FUNCTION find_playlists(
  p_user bigint, p_filter jsonb, p_words tsquery, p_from bigint, p_to bigint, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE AS $$
DECLARE
  marks text := playlist_marks(p_filter);
BEGIN
  RETURN QUERY EXECUTE 'SELECT r.place, search_rank(r.document, $3, $9) FROM (SELECT r.place, r.document FROM ('
    || CASE WHEN marks IS NULL THEN 'SELECT s.id AS place, s.* FROM playlist_search s'
      ELSE format('SELECT m.id AS place, s.* FROM %I m JOIN playlist_search s ON s.id = m.playlist_id
        WHERE m.user_id = $7', marks) END
    || ') r WHERE r.place >= $1 AND r.place < $2 AND (r.public OR r.user_id = $4)'
    || CASE WHEN p_filter ? 'words' THEN ' AND r.document @@ $3' ELSE '' END
    || CASE WHEN p_filter ? 'owner' THEN ' AND r.user_id = $5' ELSE '' END
    || CASE WHEN p_filter ? 'ids' THEN ' AND r.id = ANY ($6)' ELSE '' END
    || ' ORDER BY r.place DESC LIMIT $8) r'
  USING p_from, coalesce(p_to, 9223372036854775807), p_words, p_user, (p_filter->>'owner')::bigint,
    ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint),
    coalesce(p_filter->>'favored_by', p_filter->>'reposted_by')::bigint, p_limit, whole_in_names(p_words);
END $$;
