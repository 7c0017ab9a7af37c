-- Keeps an app from being deleted until the transaction ends. False if it is gone. Called before any row of the app is locked, or
-- a deletion could deadlock with it.
CREATE OR REPLACE FUNCTION hold_app(p_app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM apps WHERE id = p_app FOR KEY SHARE;
  RETURN FOUND;
END $$;
