-- Claims a key for one of several racing requests. An expired row or lease is also reclaimed only once.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  p_session bigint, p_client text, p_user bigint, p_key_hash bytea, p_fingerprint bytea, p_claim uuid,
  p_lease_s integer, p_kept_s integer
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored idempotency_keys;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO idempotency_keys AS k (key_hash, fingerprint, claim, lease_until, expires_at)
  VALUES (p_key_hash, p_fingerprint, p_claim, now() + make_interval(secs => p_lease_s),
    now() + make_interval(secs => p_kept_s))
  ON CONFLICT (key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at, reply = NULL
    WHERE k.expires_at <= now() OR (k.reply IS NULL AND k.lease_until <= now());
  IF FOUND THEN
    RETURN jsonb_build_object('outcome', 'claimed');
  END IF;
  SELECT * INTO stored FROM idempotency_keys WHERE key_hash = p_key_hash;
  RETURN CASE
    WHEN stored.fingerprint <> p_fingerprint THEN jsonb_build_object('outcome', 'other_request')
    -- Also covers a row that was released just now.
    WHEN stored.reply IS NULL THEN jsonb_build_object('outcome', 'running')
    ELSE jsonb_build_object('outcome', 'replied', 'reply', encode(stored.reply, 'base64'))
  END;
END $$;
