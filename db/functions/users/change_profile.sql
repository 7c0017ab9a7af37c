-- Changes a profile; null empties a field, and one that `p_changes` omits stays. Changes nothing if a new username resembles
-- another's, or if `updated_at` is not among the expected values. A new permalink comes with its `permalink_look`, may not look like
-- another's username, and is one of three in 30 days. Returning to an own former one is always possible.
CREATE OR REPLACE FUNCTION change_profile(p_user bigint, p_changes jsonb, p_expected timestamptz[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  most_in_30_days CONSTANT integer := 3;
  present users;
  violated text;
BEGIN
  SELECT * INTO present FROM users
  WHERE id = p_user AND (p_expected IS NULL OR updated_at = ANY (p_expected)) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 'unexpected';
  END IF;
  IF p_changes ? 'permalink' AND p_changes->>'permalink' <> lower(present.permalink) AND NOT EXISTS (
      SELECT FROM former_addresses f WHERE f.user_id = present.id AND f.permalink = p_changes->>'permalink'
        AND f.track_id IS NULL AND f.playlist_id IS NULL) THEN
    IF EXISTS (SELECT FROM users o WHERE o.look_alike_key = p_changes->>'permalink_look' AND o.id <> present.id) THEN
      RETURN 'permalink_taken';
    ELSIF most_in_30_days <= (SELECT count(*) FROM former_addresses f WHERE f.user_id = present.id
        AND f.track_id IS NULL AND f.playlist_id IS NULL AND f.left_at > now() - interval '30 days') THEN
      RETURN 'permalink_changed_often';
    END IF;
  END IF;
  UPDATE users u SET
    permalink = n.permalink,
    username = n.username,
    -- A user's present name may resemble others that came later.
    username_key = CASE WHEN n.username = u.username THEN u.username_key ELSE n.username_key END,
    look_alike_key = CASE WHEN n.username = u.username THEN u.look_alike_key ELSE n.look_alike_key END, full_name = n.full_name,
    city = n.city, country = n.country, description = n.description, website = n.website, website_title = n.website_title,
    discogs_name = n.discogs_name, myspace_name = n.myspace_name, avatar_version = n.avatar_version, updated_at = now()
  FROM jsonb_populate_record(present, p_changes) n WHERE u.id = present.id;
  RETURN 'done';
EXCEPTION WHEN unique_violation THEN
  GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
  RETURN CASE violated WHEN 'users_permalink_key' THEN 'permalink_taken' ELSE 'username_taken' END;
END $$;
