-- Ends a pending change of address, with the link that would stop it. The link `p_keep` stays.
CREATE OR REPLACE FUNCTION withdraw_email_change(p_user bigint, p_keep text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Every change locks the account first. A concurrent confirmation is therefore either stopped or seen.
  PERFORM FROM accounts WHERE user_id = p_user FOR UPDATE;
  UPDATE mail_tokens t SET used_at = now() FROM accounts a
  WHERE t.user_id = p_user AND a.user_id = p_user AND t.used_at IS NULL AND t.hash IS DISTINCT FROM p_keep
    AND (t.purpose = 'cancel' OR t.purpose = 'confirm' AND t.email <> a.email);
  RETURN true;
END $$;
