-- Deletes rows of limits, links and sessions that no longer decide anything.
CREATE OR REPLACE FUNCTION forget_expired() RETURNS void LANGUAGE sql AS $$
  DELETE FROM failures WHERE failed_at < now() - interval '1 day';
  DELETE FROM mail_tokens WHERE expires_at < now() - interval '1 day';
  DELETE FROM site_sessions WHERE expires_at < now() - interval '1 day';
  DELETE FROM client_credentials_grants WHERE granted_at < now() - interval '1 day';
  -- A code must outlive its form and a month of replays.
  DELETE FROM authorization_codes WHERE expires_at < now() - interval '30 days';
  -- Refresh tokens are deleted by cascade. Batches, because there may be many.
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE expires_at < now() - interval '1 day'
    UNION ALL SELECT id FROM sessions WHERE revoked_at < now() - interval '30 days' LIMIT 1000);
$$;
