CREATE OR REPLACE FUNCTION is_exclusive(p_track bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT count(*) <= 10 FROM (SELECT FROM track_shares s WHERE s.track_id = p_track LIMIT 11) s
$$;
