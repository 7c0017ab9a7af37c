-- Returns a page of `p_ids` that ends once descriptions exceed 2 MiB. The next page begins after the `covered` ids.
-- `p_held` lists what the Worker holds, as in `track_page`.
CREATE OR REPLACE FUNCTION bounded_track_page(
  p_user bigint, p_country text, p_ids bigint[], p_held text, p_opened bigint[] DEFAULT '{}',
  OUT page json, OUT covered integer
) LANGUAGE sql STABLE AS $$
  SELECT page, covered
  FROM track_page(p_user, p_country, p_ids, p_held, p_opened, false, NULL, 2 * 1024 * 1024)
$$;
