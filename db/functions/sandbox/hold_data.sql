-- Locks all data against writes until the transaction ends; reads continue. False if another call holds the lock.
CREATE OR REPLACE FUNCTION hold_data() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('sandbox')) THEN
    RETURN false;
  END IF;
  EXECUTE (SELECT format('LOCK TABLE object_garbage, %s IN SHARE ROW EXCLUSIVE MODE', string_agg(t::text, ', '))
    FROM data_tables() t);
  RETURN true;
END $$;
