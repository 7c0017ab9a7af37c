-- Switches triggers off or on. They would count, index and post again what the snapshot already contains.
CREATE OR REPLACE FUNCTION switch_triggers(p_state text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  data_table regclass;
BEGIN
  FOR data_table IN
    SELECT t FROM data_tables() t WHERE EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t AND NOT tgisinternal)
  LOOP
    EXECUTE format('ALTER TABLE %s %s TRIGGER USER', data_table, p_state);
  END LOOP;
END $$;
