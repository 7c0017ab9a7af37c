CREATE OR REPLACE FUNCTION app_row(a apps) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT a.id, a.name, a.permalink, a.external_url, u.username AS creator, u.permalink AS creator_permalink
    FROM users u WHERE u.id = a.owner_id) r
$$;
