-- Names the limit of the mails that ask an address for confirmation, whichever account wants it. Deleting the account and
-- signing up anew would otherwise send a stranger as many as one likes. An address that has another account gets none, so
-- asking for it counts apart and cannot use up the mails of its owner.
CREATE OR REPLACE FUNCTION confirmations_to(p_user bigint, p_email text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT 'confirm ' || encode(sha256(convert_to(lower(p_email), 'UTF8')), 'base64')
    || CASE WHEN belongs_to_another(p_user, p_email) THEN ' in vain' ELSE '' END
$$;
