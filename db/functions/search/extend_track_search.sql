-- Opens the next range once the last one holds `p_rows` rows. The sweep calls it.
CREATE OR REPLACE FUNCTION extend_track_search(p_rows integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  last_from bigint;
  newest bigint;
BEGIN
  SELECT from_id INTO last_from FROM track_search_ranges ORDER BY from_id DESC LIMIT 1;
  PERFORM FROM track_search WHERE id >= last_from OFFSET p_rows - 1 LIMIT 1;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT max(id) INTO newest FROM track_search WHERE id >= last_from;
  PERFORM cut_track_search(greatest(newest + 1, next_id()));
  RETURN true;
END $$;
