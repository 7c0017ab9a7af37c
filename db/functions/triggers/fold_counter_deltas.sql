-- Folds the pending deltas of a busy subject into one row without locking the subject. A viral track then has hundreds
-- of deltas pending, not thousands. Only a roll-up of the same deltas may wait, as long as one favorite takes.
CREATE OR REPLACE FUNCTION fold_counter_deltas() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  WITH pending AS MATERIALIZED (
    SELECT id FROM counter_deltas WHERE subject_id = new.subject_id AND kind = new.kind FOR UPDATE SKIP LOCKED
  ), folded AS (
    DELETE FROM counter_deltas d USING pending p WHERE d.id = p.id RETURNING d.counter, d.delta)
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT new.kind, new.subject_id, counter, sum(delta) FROM folded GROUP BY counter;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER counter_deltas_are_folded AFTER INSERT ON counter_deltas FOR EACH ROW
WHEN (new.id % 128 = 0) EXECUTE FUNCTION fold_counter_deltas();
