-- Queues the confirmation of a new address, except for one that has an account. Its owner asked for nothing.
CREATE OR REPLACE FUNCTION mail_unless_taken(p_user bigint, p_email text, p_token text, p_sealed bytea) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT belongs_to_another(p_user, p_email) THEN
    PERFORM queue_mail(p_user, 'confirm', p_email, p_token, p_sealed, NULL);
  END IF;
END $$;
