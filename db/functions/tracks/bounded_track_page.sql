-- Returns a page of `p_ids` that ends once descriptions exceed 2 MiB. The next page begins after the `covered` ids.
-- `p_known` holds the Worker's `mark` and `held` for `track_page`.
CREATE OR REPLACE FUNCTION bounded_track_page(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}',
  OUT page json, OUT covered integer
) LANGUAGE sql STABLE AS $$
  SELECT page, covered
  FROM track_page(p_user, p_country, p_ids, p_known->>'mark', p_known->>'held', p_opened, false, NULL, 2 * 1024 * 1024)
$$;
