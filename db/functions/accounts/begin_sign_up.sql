-- Checks, before the password is hashed, that the address may sign up and the names are free.
CREATE OR REPLACE FUNCTION begin_sign_up(p_new jsonb, p_email text, p_address text, p_budget jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  spent jsonb := take_budget(p_budget, p_address);
BEGIN
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  RETURN json_build_object('outcome', 'open', 'spent', spent,
    'username_taken', EXISTS (SELECT FROM users u WHERE u.username_key = p_new->>'username_key')
      OR EXISTS (SELECT FROM users u WHERE u.look_alike_key = p_new->>'look_alike_key')
      OR p_new->>'spare' IS NULL AND EXISTS (SELECT FROM users u WHERE lower(u.permalink) = lower(p_new->>'permalink')),
    'email_taken', EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(p_email)));
END $$;
