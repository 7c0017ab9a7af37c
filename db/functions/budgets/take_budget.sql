-- Counts one request against a budget, or refuses it; null without a budget. The row's lock makes the count exact. The
-- lock wait ends after two seconds, so a stuck budget blocks only its own requests.
CREATE OR REPLACE FUNCTION take_budget(p_budget jsonb, p_subject text) RETURNS jsonb
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  key text := p_budget->>'name' || ' ' || p_subject;
  most integer := (p_budget->>'max')::integer;
  ends timestamptz := clock_timestamp() + make_interval(secs => (p_budget->>'window_s')::integer);
  used budgets;
  refused boolean;
BEGIN
  IF p_budget IS NULL THEN
    RETURN NULL;
  END IF;
  IF most > 0 THEN
    INSERT INTO budgets AS b (bucket, taken, ends_at) VALUES (key, 1, ends)
    ON CONFLICT (bucket) DO UPDATE SET
      taken = CASE WHEN b.ends_at > clock_timestamp() THEN b.taken + 1 ELSE 1 END,
      ends_at = CASE WHEN b.ends_at > clock_timestamp() THEN b.ends_at ELSE ends END
    WHERE b.taken < most OR b.ends_at <= clock_timestamp()
    RETURNING * INTO used;
  END IF;
  refused := used.bucket IS NULL;
  IF refused THEN
    SELECT * INTO used FROM budgets b WHERE b.bucket = key;
  END IF;
  RETURN jsonb_build_object('refused', refused, 'max', most,
    'remaining', CASE WHEN refused THEN 0 ELSE most - used.taken END,
    'reset_s', greatest(1, ceil(extract(epoch FROM coalesce(used.ends_at, ends) - clock_timestamp()))));
END $$;
