-- Returns the reason for a refused change.
CREATE OR REPLACE FUNCTION unmanaged_app(p_owner bigint, p_id bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM apps a WHERE a.id = p_id AND a.owner_id = p_owner) THEN 'not_managed' ELSE 'unknown' END
$$;
