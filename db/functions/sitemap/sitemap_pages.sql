-- Returns where each page of the sitemap begins, as keys of the two indexes and the users that have public tracks. It
-- reads those indexes only.
CREATE OR REPLACE FUNCTION sitemap_pages(p_each integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'tracks', (SELECT coalesce(json_agg(json_build_array(n.user_id, n.id) ORDER BY n.user_id, n.id), '[]') FROM (
      SELECT t.user_id, t.id, row_number() OVER (ORDER BY t.user_id, t.id) AS place
      FROM tracks t WHERE t.sharing = 'public' AND t.state <> 'failed') n WHERE n.place % p_each = 1),
    'users', (SELECT coalesce(json_agg(n.user_id ORDER BY n.user_id), '[]') FROM (
      SELECT t.user_id, row_number() OVER (ORDER BY t.user_id) AS place
      FROM tracks t WHERE t.sharing = 'public' AND t.state <> 'failed' GROUP BY t.user_id) n WHERE n.place % p_each = 1),
    'sets', (SELECT coalesce(json_agg(n.id ORDER BY n.id), '[]') FROM (
      SELECT p.id, row_number() OVER (ORDER BY p.id) AS place
      FROM playlists p WHERE p.sharing = 'public') n WHERE n.place % p_each = 1))
$$;
