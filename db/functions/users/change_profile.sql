-- Changes a profile; null empties a field, and one that `p_changes` omits stays. Changes nothing if a new username resembles
-- another's, or if `updated_at` is not among the expected values.
CREATE OR REPLACE FUNCTION change_profile(p_user bigint, p_changes jsonb, p_expected timestamptz[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  present users;
BEGIN
  SELECT * INTO present FROM users
  WHERE id = p_user AND (p_expected IS NULL OR updated_at = ANY (p_expected)) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 'unexpected';
  END IF;
  UPDATE users u SET
    username = n.username,
    -- A user's present name may resemble others that came later.
    username_key = CASE WHEN n.username = u.username THEN u.username_key ELSE n.username_key END,
    look_alike_key = CASE WHEN n.username = u.username THEN u.look_alike_key ELSE n.look_alike_key END, full_name = n.full_name,
    city = n.city, country = n.country, description = n.description, website = n.website, website_title = n.website_title,
    discogs_name = n.discogs_name, myspace_name = n.myspace_name, avatar_version = n.avatar_version, updated_at = now()
  FROM jsonb_populate_record(present, p_changes) n WHERE u.id = present.id;
  RETURN 'done';
EXCEPTION WHEN unique_violation THEN
  RETURN 'username_taken';
END $$;
