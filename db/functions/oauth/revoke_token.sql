-- Revokes this client's refresh token or session, RFC 7009. An unknown token is no error.
CREATE OR REPLACE FUNCTION revoke_token(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  UPDATE sessions s SET revoked_at = now()
  WHERE s.app_id = (client.app).id AND s.revoked_at IS NULL
    AND (s.id = p_session OR s.id = (SELECT r.session_id FROM refresh_tokens r WHERE r.hash = p_refresh_hash));
  RETURN json_build_object('outcome', 'revoked');
END $$;
