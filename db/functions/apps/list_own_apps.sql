CREATE OR REPLACE FUNCTION list_own_apps(p_owner bigint, p_before bigint, p_limit integer) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object('plan', (SELECT u.plan FROM users u WHERE u.id = p_owner), 'apps', coalesce((
      SELECT json_agg(own_app_row(a) ORDER BY a.id DESC)
      FROM (SELECT * FROM apps WHERE owner_id = p_owner AND id < p_before ORDER BY id DESC LIMIT p_limit) a), '[]'))
$$;
