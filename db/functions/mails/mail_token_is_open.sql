-- Tells whether a mailed link still works. One for the account's own address dies when that changes.
CREATE OR REPLACE FUNCTION mail_token_is_open(p_token text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id
    WHERE t.hash = p_token AND t.used_at IS NULL AND t.expires_at > now() AND (t.purpose = 'confirm' OR t.email = a.email))
$$;
