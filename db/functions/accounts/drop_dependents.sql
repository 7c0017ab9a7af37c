-- Deletes up to `p_limit` rows that depend on row `p_id` of `p_table`, directly or not, and detaches those that outlive it, such
-- as tracks made by an app. Returns the number of both. A row that has dependents itself counts as a hundred: looking through
-- their tables takes as long.
CREATE OR REPLACE FUNCTION drop_dependents(p_table regclass, p_id bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  dropped integer := 0;
  now_dropped integer;
  child record;
  dependent bigint;
BEGIN
  FOR child IN
    SELECT c.conrelid::regclass AS name, a.attname AS field, c.confdeltype = 'n' AS outlives, EXISTS (
      SELECT FROM pg_constraint d JOIN pg_attribute k ON k.attrelid = d.confrelid AND k.attnum = d.confkey[1]
      WHERE d.confrelid = c.conrelid AND d.contype = 'f' AND d.confdeltype IN ('c', 'n') AND k.attname = 'id') AS has_dependents
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.confrelid = p_table AND c.contype = 'f' AND c.confdeltype IN ('c', 'n') AND cardinality(c.conkey) = 1
  LOOP
    IF child.has_dependents AND NOT child.outlives THEN
      FOR dependent IN EXECUTE format('SELECT id FROM %s WHERE %I = $1', child.name, child.field) USING p_id LOOP
        dropped := dropped + drop_dependents(child.name, dependent, p_limit - dropped);
        EXIT WHEN dropped >= p_limit;
        -- Deletes the row at once, or the next call would look for its dependents again.
        EXECUTE format('DELETE FROM %s WHERE id = $1', child.name) USING dependent;
        dropped := dropped + 100;
        EXIT WHEN dropped >= p_limit;
      END LOOP;
    END IF;
    EXIT WHEN dropped >= p_limit;
    EXECUTE format(CASE WHEN child.outlives THEN 'UPDATE %1$s SET %2$I = NULL' ELSE 'DELETE FROM %1$s' END
      || ' WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$I = $1 LIMIT $2))',
      child.name, child.field) USING p_id, p_limit - dropped;
    GET DIAGNOSTICS now_dropped = ROW_COUNT;
    dropped := dropped + now_dropped;
  END LOOP;
  RETURN dropped;
END $$;
