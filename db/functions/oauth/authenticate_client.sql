-- Authenticates a client or returns the refusal. A public client has no secret, and is refused with one. Limits failures to ten a minute per client and address, and sixty per
-- address. A limit per client alone would let anyone lock it out.
CREATE OR REPLACE FUNCTION authenticate_client(
  p_client text, p_secret_hash text, p_address text, OUT app apps, OUT refusal json
) LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  pair text := 'client ' || left(p_client, 100) || ' ' || p_address;
  everyone text := 'clients ' || p_address;
BEGIN
  SELECT json_build_object('outcome', 'limited', 'retry_after', w.wait, 'bucket', b.name) INTO refusal
  FROM (VALUES (pair, 10, 'by-app-and-ip'), (everyone, 60, 'by-ip')) AS b (bucket, most, name), LATERAL (
    SELECT ceil(extract(epoch FROM f.failed_at + interval '1 minute' - clock_timestamp()))::integer AS wait
    FROM failures f WHERE f.bucket = b.bucket AND f.failed_at > clock_timestamp() - interval '1 minute'
    ORDER BY f.failed_at DESC OFFSET b.most - 1 LIMIT 1) w
  WHERE w.wait > 0 ORDER BY w.wait DESC, b.name LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO app FROM apps a
  WHERE a.client_id = p_client AND a.disabled_at IS NULL AND (a.secret_hash IS NOT DISTINCT FROM p_secret_hash
    OR (a.previous_secret_hash = p_secret_hash AND a.previous_secret_expires_at > now()));
  IF NOT FOUND THEN
    INSERT INTO failures (bucket) VALUES (pair), (everyone);
    refusal := json_build_object('outcome', 'invalid_client');
  END IF;
END $$;
