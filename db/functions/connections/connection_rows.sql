CREATE OR REPLACE FUNCTION connection_rows(p_ids bigint[]) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT c.id, id_created_at(c.id) AS created_at, c.updated_at, c.service, c.display_name, c.post_favorite, c.post_publish
    FROM connections c WHERE c.id = ANY (p_ids)) r
$$;
