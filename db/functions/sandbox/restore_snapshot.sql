-- Restores the snapshot as a whole, touching only rows that differ. Tables without a copy are emptied. Repeating it
-- changes nothing.
CREATE OR REPLACE FUNCTION restore_snapshot() RETURNS json LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  app_fields CONSTANT text := (SELECT fields FROM snapshot_copies() WHERE ours = 'apps'::regclass);
  pair record;
  switch_triggers text;
  touched bigint;
  pass bigint;
  deleted bigint := 0;
  inserted bigint := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox.marker) THEN
    RETURN json_build_object('outcome', 'no_sandbox');
  ELSIF NOT EXISTS (SELECT FROM sandbox.marker WHERE taken_at IS NOT NULL) THEN
    RETURN json_build_object('outcome', 'no_snapshot');
  ELSIF NOT hold_data() THEN
    RETURN json_build_object('outcome', 'busy');
  END IF;
  INSERT INTO object_garbage (prefix, bucket, due_at)
  SELECT prefix, bucket, now() FROM referenced_objects() ON CONFLICT DO NOTHING;
  DELETE FROM object_garbage g USING kept_objects k WHERE g.prefix = k.prefix;

  -- Operators stay as they are: nobody gets back a role or a second factor that was taken away.
  DROP TABLE IF EXISTS snapshot.operators, snapshot.operator_entries;
  CREATE TEMPORARY TABLE operators_now ON COMMIT DROP AS TABLE public.operators;
  -- Migrations since the snapshot may have added apps of the service's own.
  EXECUTE format('INSERT INTO snapshot.apps (%1$s) SELECT %1$s FROM apps
    WHERE owner_id IS NULL AND client_id NOT IN (SELECT client_id FROM snapshot.apps)', app_fields);
  -- Triggers would count, index and post again what the snapshot already contains.
  switch_triggers := (SELECT string_agg(format('ALTER TABLE %s %%1$s TRIGGER USER', t), '; ') FROM data_tables() t
    WHERE EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t AND NOT tgisinternal));
  EXECUTE format(switch_triggers, 'DISABLE');
  -- Repeats until nothing differs, because deleting a row cascades to its references or nulls them.
  LOOP
    pass := 0;
    FOR pair IN SELECT * FROM snapshot_copies() LOOP
      EXECUTE CASE WHEN pair.copy IS NULL THEN format('DELETE FROM %s', pair.ours) ELSE
        format('DELETE FROM %s t WHERE NOT EXISTS (SELECT FROM %s c WHERE %s = %s)',
          pair.ours, pair.copy, pair.copied_row, pair.our_row) END;
      GET DIAGNOSTICS touched = ROW_COUNT;
      pass := pass + touched;
    END LOOP;
    EXIT WHEN pass = 0;
    deleted := deleted + pass;
  END LOOP;
  FOR pair IN SELECT * FROM snapshot_copies() WHERE copy IS NOT NULL LOOP
    EXECUTE format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %3$s c
      WHERE NOT EXISTS (SELECT FROM %1$s t WHERE %4$s = %5$s)',
      pair.ours, pair.fields, pair.copy, pair.our_row, pair.copied_row);
    GET DIAGNOSTICS touched = ROW_COUNT;
    inserted := inserted + touched;
  END LOOP;
  INSERT INTO operators SELECT n.* FROM operators_now n JOIN users u ON u.id = n.user_id;
  EXECUTE format(switch_triggers, 'ENABLE');
  UPDATE sandbox.marker SET restored_at = now();
  RETURN (SELECT json_build_object('outcome', 'restored', 'taken_at', taken_at, 'restored_at', restored_at,
    'rows_deleted', deleted, 'rows_inserted', inserted) FROM sandbox.marker);
END $$;
