-- Returns places of listed tracks or reposts. A SQL function, so that it is inlined and its rows are not copied again.
CREATE OR REPLACE FUNCTION find_listed_tracks(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE sql STABLE AS $$
  SELECT r.place, r.rank FROM find_reposted_tracks(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to, p_ascending,
    p_limit) r
  WHERE p_filter ? 'reposted_by'
  UNION ALL
  SELECT f.place, f.rank FROM find_tracks(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to, p_ascending,
    p_limit) f
  WHERE NOT p_filter ? 'reposted_by'
$$;
