-- Counts the attempt and returns the password hash to verify. Finds the account by permalink if the login has no @. An
-- unknown account returns the same outcome, so that nobody learns which exist.
CREATE OR REPLACE FUNCTION begin_sign_in(p_login text, p_address text, p_known jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  account accounts;
  -- Chooses the attempts' bucket. Permalinks have a limit of their own, because a shared one would reveal whose address it is.
  counted text;
  attempt record;
BEGIN
  IF position('@' IN p_login) > 0 THEN
    SELECT a.* INTO account FROM accounts a WHERE lower(a.email) = lower(p_login);
    counted := account.user_id;
  ELSE
    SELECT a.* INTO account FROM users u JOIN accounts a ON a.user_id = u.id WHERE lower(u.permalink) = lower(p_login);
    counted := account.user_id || ' by name';
  END IF;
  counted := coalesce(counted, encode(sha256(convert_to(lower(p_login), 'UTF8')), 'base64'));
  SELECT * INTO attempt FROM take_password_attempt(counted, p_address,
    CASE WHEN account.user_id = (p_known->>'user')::bigint
      AND encode(sha256(convert_to(account.password_hash, 'UTF8')), 'hex') = p_known->>'password' THEN p_known->>'browser' END);
  IF attempt.wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', attempt.wait);
  END IF;
  RETURN json_build_object('outcome', 'open', 'user', account.user_id, 'password_hash', account.password_hash,
    'attempt', attempt.taken::text);
END $$;
