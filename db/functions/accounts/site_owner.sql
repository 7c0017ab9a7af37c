-- Returns the user of a site session. Raises SE000 if nobody is signed in.
CREATE OR REPLACE FUNCTION site_owner(p_site_session text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  owner bigint;
BEGIN
  SELECT u.id INTO owner FROM site_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = p_site_session AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL;
  IF NOT FOUND THEN
    RAISE 'the session has ended' USING ERRCODE = 'SE000';
  END IF;
  RETURN owner;
END $$;
