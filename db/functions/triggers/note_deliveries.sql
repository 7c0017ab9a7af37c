-- Adds the ids of new deliveries to the statement's reply, so that the Worker sends them at once. A queue accepts a hundred in
-- one send; the cron sends the rest.
CREATE OR REPLACE FUNCTION note_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM made) THEN
    PERFORM set_config('soundpost.deliveries', concat_ws(',', nullif(current_setting('soundpost.deliveries', true), ''),
      (SELECT string_agg(id::text, ',') FROM (SELECT id FROM made LIMIT 100) m)), true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER deliveries_are_noted AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION note_deliveries();
