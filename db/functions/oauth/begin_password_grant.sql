-- The older password grant, before the password is hashed: the client first, then the very limits of signing in.
CREATE OR REPLACE FUNCTION begin_password_grant(p_client text, p_secret_hash text, p_address text, p_login text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  SELECT * INTO client FROM authenticate_client(p_client, p_secret_hash, p_address);
  RETURN coalesce(client.refusal, begin_sign_in(p_login, p_address, NULL));
END $$;
