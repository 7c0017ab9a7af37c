-- Makes a page of `p_ids` for lists, which ends early where descriptions come to more than 2 MiB. The next one begins behind
-- the `covered` ones. `p_known` holds the `mark` and `held` that `track_page` describes, as the Worker sent them.
CREATE OR REPLACE FUNCTION bounded_track_page(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}',
  OUT page json, OUT covered integer
) LANGUAGE sql STABLE AS $$
  SELECT page, covered
  FROM track_page(p_user, p_country, p_ids, p_known->>'mark', p_known->>'held', p_opened, false, NULL, 2 * 1024 * 1024)
$$;
