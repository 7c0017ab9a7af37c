CREATE OR REPLACE FUNCTION follows(p_user bigint, p_followee bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM followings f WHERE f.user_id = p_user AND f.followee_id = p_followee)
$$;
