-- Authenticates a client or returns the refusal. Limits failures to ten a minute per client and address, and sixty per
-- address. A limit per client alone would let anyone lock it out.
CREATE OR REPLACE FUNCTION authenticate_client(
  p_client text, p_secret_hash text, p_address text, OUT app apps, OUT refusal json
) LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  pair text := 'client ' || left(p_client, 100) || ' ' || p_address;
  everyone text := 'clients ' || p_address;
  pair_wait integer;
  wait integer;
BEGIN
  -- Few clients have failed lately. One query tells, instead of two.
  IF EXISTS (SELECT FROM failures f WHERE f.bucket IN (pair, everyone)) THEN
    pair_wait := limited_for(pair, 10, '1 minute');
    wait := greatest(pair_wait, limited_for(everyone, 60, '1 minute'));
    IF wait > 0 THEN
      refusal := json_build_object('outcome', 'limited', 'retry_after', wait,
        'bucket', CASE WHEN wait = pair_wait THEN 'by-app-and-ip' ELSE 'by-ip' END);
      RETURN;
    END IF;
  END IF;
  SELECT * INTO app FROM apps a
  WHERE a.client_id = p_client AND a.disabled_at IS NULL AND (a.secret_hash = p_secret_hash
    OR (a.previous_secret_hash = p_secret_hash AND a.previous_secret_expires_at > now()));
  IF NOT FOUND THEN
    INSERT INTO failures (bucket) VALUES (pair), (everyone);
    refusal := json_build_object('outcome', 'invalid_client');
  END IF;
END $$;
