-- Whether a row of such a list was there at the moment; `p_settled` and `p_snapshot` are what `moment` told.
CREATE OR REPLACE FUNCTION committed_by(p_id bigint, p_transaction xid8, p_settled bigint, p_snapshot pg_snapshot) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_id <= p_settled OR pg_visible_in_snapshot(p_transaction, p_snapshot)
$$;
