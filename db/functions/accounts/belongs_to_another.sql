-- Tells whether an address is another account's.
CREATE OR REPLACE FUNCTION belongs_to_another(p_user bigint, p_email text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM accounts a WHERE lower(a.email) = lower(p_email) AND a.user_id <> p_user)
$$;
