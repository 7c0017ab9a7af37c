-- Keeps the result of a request with a key, in the transaction of its work, and returns it. Only the id of something
-- large is kept. A refusal did nothing, so its key stays free.
CREATE OR REPLACE FUNCTION keep_idempotent_result(
  p_key_hash bytea, p_fingerprint bytea, p_claim uuid, p_secret bytea, p_kept_s integer, p_result jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  most_bytes CONSTANT integer := 64 * 1024;
  large_id bigint;
BEGIN
  IF p_result->>'found' = 'false' OR (p_result #>> '{spent,refused}')::boolean
    OR p_result->>'outcome' NOT IN ('done', 'created', 'exists', 'opened', 'registered', 'due') THEN
    RETURN jsonb_build_object('outcome', 'refused', 'result', p_result);
  END IF;
  IF octet_length(p_result::text) > most_bytes THEN
    large_id := jsonb_path_query_first(p_result, '$.*.id')::bigint;
  END IF;
  INSERT INTO idempotency_keys AS k (key_hash, fingerprint, claim, secret, result, made_id, expires_at)
  VALUES (p_key_hash, p_fingerprint, p_claim, p_secret, CASE WHEN large_id IS NULL THEN p_result END, large_id,
    now() + make_interval(secs => p_kept_s))
  ON CONFLICT (key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim, secret = excluded.secret,
    result = excluded.result, made_id = excluded.made_id, expires_at = excluded.expires_at;
  RETURN jsonb_build_object('outcome', 'done', 'result', p_result);
END $$;
