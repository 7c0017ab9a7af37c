-- Switches triggers off or on. They would count, index and post again what the snapshot already contains.
CREATE OR REPLACE FUNCTION switch_triggers(p_state text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held regclass;
BEGIN
  FOR held IN
    SELECT t FROM data_tables() t WHERE EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t AND NOT tgisinternal)
  LOOP
    EXECUTE format('ALTER TABLE %s %s TRIGGER USER', held, p_state);
  END LOOP;
END $$;
