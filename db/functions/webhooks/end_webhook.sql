-- Deletes a user's webhook of any app. False if nobody is signed in; a missing webhook is no error.
CREATE OR REPLACE FUNCTION end_webhook(p_session text, p_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := (site_user(p_session)->>'id')::bigint;
BEGIN
  DELETE FROM webhooks WHERE id = p_id AND user_id = owner;
  RETURN owner IS NOT NULL;
END $$;
