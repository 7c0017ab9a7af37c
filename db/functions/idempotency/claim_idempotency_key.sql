-- Returns null for the first request with a key, and locks the key until the transaction ends, so a request that died locks
-- nothing. Otherwise returns the outcome of the first request, which may be too large to be stored.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  p_session bigint, p_client text, p_user bigint, p_key_hash bytea, p_fingerprint bytea, p_claim uuid
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored idempotency_keys;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF NOT pg_try_advisory_xact_lock(hashtext('idempotency_key'), hashtext(encode(p_key_hash, 'hex'))) THEN
    RETURN jsonb_build_object('outcome', 'running');
  END IF;
  SELECT * INTO stored FROM idempotency_keys WHERE key_hash = p_key_hash AND expires_at > now();
  IF NOT FOUND THEN
    RETURN NULL;
  ELSIF stored.fingerprint <> p_fingerprint THEN
    RETURN jsonb_build_object('outcome', 'other_request');
  ELSIF stored.result IS NULL THEN
    RETURN jsonb_build_object('outcome', 'made', 'id', stored.made_id);
  ELSIF stored.claim = p_claim THEN
    -- The same request, after its statement was sent again.
    RETURN jsonb_build_object('outcome', 'done', 'result', stored.result);
  END IF;
  RETURN jsonb_build_object('outcome', 'done_before', 'secret', encode(stored.secret, 'base64'),
    -- A repetition counts nothing against the budget.
    'result', CASE WHEN stored.result ? 'spent' THEN stored.result || '{"spent": null}' ELSE stored.result END);
END $$;
