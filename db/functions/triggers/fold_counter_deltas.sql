-- Folds the pending deltas of a busy subject into one row an hour without locking the subject. A viral track then has hundreds
-- of deltas pending, not thousands. Neither it nor a roll-up waits for the other's deltas.
CREATE OR REPLACE FUNCTION fold_counter_deltas() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  WITH pending AS MATERIALIZED (
    SELECT id FROM counter_deltas WHERE subject_id = new.subject_id AND kind = new.kind FOR UPDATE SKIP LOCKED
  ), folded AS (
    -- Selects by an array: a join would read the whole table if its statistics date from when it was empty.
    DELETE FROM counter_deltas d WHERE d.id = ANY (ARRAY(SELECT p.id FROM pending p)) RETURNING d.counter, d.hour, d.delta)
  INSERT INTO counter_deltas (kind, subject_id, counter, hour, delta)
  SELECT new.kind, new.subject_id, counter, hour, sum(delta) FROM folded GROUP BY counter, hour;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER counter_deltas_are_folded AFTER INSERT ON counter_deltas FOR EACH ROW
WHEN (new.id % 128 = 0) EXECUTE FUNCTION fold_counter_deltas();
