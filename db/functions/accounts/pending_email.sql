-- Returns the address that awaits confirmation, or null.
CREATE OR REPLACE FUNCTION pending_email(p_user bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT t.email FROM mail_tokens t JOIN accounts a ON a.user_id = t.user_id
  WHERE t.user_id = p_user AND t.purpose = 'confirm' AND t.used_at IS NULL AND t.expires_at > now() AND t.email <> a.email
  ORDER BY t.expires_at DESC LIMIT 1
$$;
