-- Authenticates the client, then counts the attempt under the limits of sign-in. Runs before the password is hashed.
CREATE OR REPLACE FUNCTION begin_password_grant(p_client text, p_secret_hash text, p_address text, p_login text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  RETURN coalesce(client.refusal, begin_sign_in(p_login, p_address, NULL));
END $$;
