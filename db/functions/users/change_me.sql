-- Changes the caller's profile; null empties a field. Changes nothing if a new username resembles another's, or if `updated_at`
-- is not among the expected values.
CREATE OR REPLACE FUNCTION change_me(
  p_session bigint, p_client text, p_user bigint, p_changes jsonb, p_expected timestamptz[]
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  UPDATE users SET
    username = CASE WHEN p_changes ? 'username' THEN p_changes->>'username' ELSE username END,
    username_key = CASE WHEN p_changes->>'username' <> username THEN p_changes->>'username_key' ELSE username_key END,
    look_alike_key = CASE WHEN p_changes->>'username' <> username THEN p_changes->>'look_alike_key' ELSE look_alike_key END,
    description = CASE WHEN p_changes ? 'description' THEN p_changes->>'description' ELSE description END,
    website = CASE WHEN p_changes ? 'website' THEN p_changes->>'website' ELSE website END,
    website_title = CASE WHEN p_changes ? 'website_title' THEN p_changes->>'website_title' ELSE website_title END,
    avatar_version = CASE WHEN p_changes ? 'avatar_version' THEN p_changes->>'avatar_version' ELSE avatar_version END,
    updated_at = now()
  WHERE id = p_user AND (p_expected IS NULL OR updated_at = ANY (p_expected));
  IF NOT FOUND THEN
    RETURN 'unexpected';
  END IF;
  RETURN 'done';
EXCEPTION WHEN unique_violation THEN
  RETURN 'username_taken';
END $$;
