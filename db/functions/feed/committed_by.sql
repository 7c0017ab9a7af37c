-- Tells whether a row was committed at a moment. `p_settled` and `p_snapshot` come from `moment`.
CREATE OR REPLACE FUNCTION committed_by(p_id bigint, p_transaction xid8, p_settled bigint, p_snapshot pg_snapshot) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_id <= p_settled OR pg_visible_in_snapshot(p_transaction, p_snapshot)
$$;
