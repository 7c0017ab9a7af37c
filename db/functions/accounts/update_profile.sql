-- Saves the profile, or nothing if the username resembles another's.
CREATE OR REPLACE FUNCTION update_profile(p_session text, p_profile jsonb, p_keys jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET username = p_profile->>'username', username_key = p_keys->>'username_key',
    look_alike_key = p_keys->>'look_alike_key', full_name = p_profile->>'full_name',
    city = p_profile->>'city', country = p_profile->>'country', description = p_profile->>'description',
    website = p_profile->>'website', website_title = p_profile->>'website_title',
    discogs_name = p_profile->>'discogs_name', myspace_name = p_profile->>'myspace_name', updated_at = now()
  WHERE id = (site_user(p_session)->>'id')::bigint;
  RETURN CASE WHEN FOUND THEN 'saved' ELSE 'signed_out' END;
EXCEPTION WHEN unique_violation THEN
  RETURN 'username_taken';
END $$;
