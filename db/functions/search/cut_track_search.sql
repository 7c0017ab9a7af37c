-- Ends the last range at `p_id`, above all its rows, and opens the next. Timing does not matter: until then the last
-- range only grows. Runs as the owner, because the service may not change the schema.
CREATE OR REPLACE FUNCTION cut_track_search(p_id bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  last_from bigint;
  last_name text;
  starts text;
BEGIN
  LOCK TABLE track_search IN ACCESS EXCLUSIVE MODE;
  SELECT from_id INTO last_from FROM track_search_ranges ORDER BY from_id DESC LIMIT 1;
  IF p_id <= last_from OR EXISTS (SELECT FROM track_search WHERE id >= p_id) THEN
    RETURN;
  END IF;
  last_name := 'track_search_' || last_from;
  starts := CASE WHEN last_from = 0 THEN 'MINVALUE' ELSE last_from::text END;
  EXECUTE format('ALTER TABLE track_search DETACH PARTITION %I', last_name);
  EXECUTE format('ALTER TABLE track_search ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', last_name, starts, p_id);
  EXECUTE format('CREATE TABLE %I PARTITION OF track_search FOR VALUES FROM (%s) TO (MAXVALUE)', 'track_search_' || p_id, p_id);
  UPDATE track_search_ranges SET to_id = p_id WHERE from_id = last_from;
  INSERT INTO track_search_ranges VALUES (p_id, 9223372036854775807);
END $$;
