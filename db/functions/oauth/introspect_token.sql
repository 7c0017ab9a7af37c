-- Returns `live` for a valid token of this client, RFC 7662.
CREATE OR REPLACE FUNCTION introspect_token(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  RETURN json_build_object('outcome', 'introspected', 'live', (
    SELECT to_json(r) FROM (
      SELECT s.user_id AS user, u.username, s.scope,
        extract(epoch FROM t.created_at)::bigint AS issued_at, extract(epoch FROM t.expires_at)::bigint AS expires_at
      FROM sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN refresh_tokens t ON t.hash = p_refresh_hash
      WHERE s.id = coalesce(p_session, t.session_id) AND t.consumed_at IS NULL AND coalesce(t.expires_at > now(), true)
        AND session_is_live(s.id, p_client, s.user_id)) r));
END $$;
