-- For the site's own pages, whose visitors have no API session.
CREATE OR REPLACE FUNCTION find_app_by_permalink(p_permalink text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT app_row(a) FROM apps a
  WHERE a.permalink = p_permalink AND a.disabled_at IS NULL AND NOT a.first_party
$$;
