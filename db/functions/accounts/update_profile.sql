-- Saves the profile of the settings page; a field that `p_profile` omits stays. False, and nothing is saved, if a new username
-- resembles another's.
CREATE OR REPLACE FUNCTION update_profile(p_session text, p_profile jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  present users;
BEGIN
  SELECT * INTO present FROM users WHERE id = site_owner(p_session) FOR NO KEY UPDATE;
  UPDATE users u SET
    username = n.username,
    username_key = CASE WHEN n.username = u.username THEN u.username_key ELSE n.username_key END,
    look_alike_key = CASE WHEN n.username = u.username THEN u.look_alike_key ELSE n.look_alike_key END, full_name = n.full_name,
    city = n.city, country = n.country, description = n.description, website = n.website, website_title = n.website_title,
    discogs_name = n.discogs_name, myspace_name = n.myspace_name, updated_at = now()
  FROM jsonb_populate_record(present, p_profile) n WHERE u.id = present.id;
  RETURN true;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $$;
