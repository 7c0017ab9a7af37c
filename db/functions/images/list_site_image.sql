-- Lists a prefix as garbage for a page of the site. False if nobody is signed in.
CREATE OR REPLACE FUNCTION list_site_image(p_session text, p_prefix text) RETURNS boolean LANGUAGE sql AS $$
  WITH listed AS (
    INSERT INTO object_garbage (prefix, bucket, due_at)
    SELECT p_prefix, 'media', now() + interval '48 hours' WHERE site_user(p_session) IS NOT NULL RETURNING prefix)
  SELECT EXISTS (SELECT FROM listed)
$$;
