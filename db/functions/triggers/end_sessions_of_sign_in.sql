-- Ends the site's sessions with the sign-in that they belong to, whatever ends it.
CREATE OR REPLACE FUNCTION end_sessions_of_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sessions SET revoked_at = new.revoked_at WHERE site_session_hash = new.hash AND revoked_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sessions_end_with_sign_in AFTER UPDATE OF revoked_at ON site_sessions
FOR EACH ROW WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL) EXECUTE FUNCTION end_sessions_of_sign_in();
