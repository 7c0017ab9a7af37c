-- Issues an app's token: fifty in twelve hours per app, thirty an hour per address. Locks make the limits exact; app
-- before address avoids deadlocks.
CREATE OR REPLACE FUNCTION client_credentials(
  p_client text, p_secret_hash text, p_address text, p_refresh_hash text, p_session_ttl integer, p_refresh_ttl integer,
  p_scope text
) RETURNS json LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  client record;
  opened bigint;
  full_bucket text;
  free_at timestamptz;
BEGIN
  client := authenticate_client(p_client, p_secret_hash, p_address);
  IF client.refusal IS NOT NULL THEN
    RETURN client.refusal;
  END IF;
  -- RFC 6749 §4.4: for confidential clients alone.
  IF (client.app).secret_hash IS NULL THEN
    RETURN json_build_object('outcome', 'unauthorized_client');
  END IF;
  -- Keeps the app from being deleted. Locked before any row of the app, or a deletion could deadlock.
  PERFORM FROM apps WHERE id = (client.app).id FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'invalid_client');
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('client_credentials app'), hashint8((client.app).id));
  PERFORM pg_advisory_xact_lock(hashtext('client_credentials address'), hashtext(p_address));
  SELECT 'by-app', g.granted_at + interval '12 hours' INTO full_bucket, free_at FROM client_credentials_grants g
  WHERE g.app_id = (client.app).id AND g.granted_at > clock_timestamp() - interval '12 hours'
  ORDER BY g.granted_at DESC OFFSET 49 LIMIT 1;
  IF NOT FOUND THEN
    SELECT 'by-ip', g.granted_at + interval '1 hour' INTO full_bucket, free_at FROM client_credentials_grants g
    WHERE g.address = p_address AND g.granted_at > clock_timestamp() - interval '1 hour'
    ORDER BY g.granted_at DESC OFFSET 29 LIMIT 1;
  END IF;
  IF full_bucket IS NOT NULL THEN
    RETURN json_build_object('outcome', 'too_many_tokens', 'bucket', full_bucket, 'reset_at', free_at,
      'retry_after', greatest(1, ceil(extract(epoch FROM free_at - clock_timestamp()))::integer));
  END IF;
  opened := open_session((client.app).id, NULL, p_scope, p_refresh_hash, p_session_ttl, p_refresh_ttl);
  INSERT INTO client_credentials_grants (app_id, address, granted_at)
  VALUES ((client.app).id, p_address, clock_timestamp());
  RETURN json_build_object('outcome', 'issued', 'session', opened, 'user', NULL, 'scope', p_scope);
END $$;
