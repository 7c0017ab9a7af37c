-- Deletes a pending change of address, with the link that would stop it. The link `p_keep` stays.
CREATE OR REPLACE FUNCTION end_email_change(p_user bigint, p_keep text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  UPDATE mail_tokens t SET used_at = now() FROM accounts a
  WHERE t.user_id = p_user AND a.user_id = p_user AND t.used_at IS NULL AND t.hash IS DISTINCT FROM p_keep
    AND (t.purpose = 'cancel' OR t.purpose = 'confirm' AND t.email <> a.email)
$$;
