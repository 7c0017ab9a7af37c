-- Finds the account whose password a link resets. Null if the link is used, expired or unknown.
CREATE OR REPLACE FUNCTION find_reset(p_token text) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT t.user_id::double precision FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id JOIN users u ON u.id = t.user_id
  WHERE t.hash = p_token AND t.purpose = 'reset' AND t.used_at IS NULL AND t.expires_at > now()
    AND t.email = a.email AND u.disabled_at IS NULL
$$;
