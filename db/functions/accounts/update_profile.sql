-- Saves the profile of the settings page. False, and nothing is saved, if a new username resembles another's.
CREATE OR REPLACE FUNCTION update_profile(p_session text, p_profile jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users u SET
    username = n.username,
    username_key = CASE WHEN n.username = u.username THEN u.username_key ELSE n.username_key END,
    look_alike_key = CASE WHEN n.username = u.username THEN u.look_alike_key ELSE n.look_alike_key END, full_name = n.full_name,
    city = n.city, country = n.country, description = n.description, website = n.website, website_title = n.website_title,
    discogs_name = n.discogs_name, myspace_name = n.myspace_name, updated_at = now()
  FROM jsonb_populate_record(NULL::users, p_profile) n WHERE u.id = site_owner(p_session);
  RETURN true;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $$;
