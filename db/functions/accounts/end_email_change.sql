-- Deletes a pending change of address, with the link that would stop it.
CREATE OR REPLACE FUNCTION end_email_change(p_user bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE mail_tokens t SET used_at = now() FROM accounts a
  WHERE t.user_id = p_user AND a.user_id = p_user AND t.used_at IS NULL
    AND (t.purpose = 'cancel' OR t.purpose = 'confirm' AND t.email <> a.email)
$$;
