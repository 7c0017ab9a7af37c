-- Counts the attempt and returns the password hash to verify, under the limits of a known browser.
CREATE OR REPLACE FUNCTION begin_change(p_session text, p_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  shown json := site_settings(p_session);
  attempt record;
BEGIN
  IF shown IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  END IF;
  SELECT * INTO attempt FROM take_password_attempt(shown->'user'->>'id', p_address, p_session);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN json_build_object('outcome', 'open', 'settings', shown, 'attempt', attempt.taken::text, 'password_hash',
    (SELECT a.password_hash FROM accounts a WHERE a.user_id = (shown->'user'->>'id')::bigint));
END $$;
