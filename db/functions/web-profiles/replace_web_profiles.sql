-- Replaces the whole list. An address that stays keeps its id.
CREATE OR REPLACE FUNCTION replace_web_profiles(p_session bigint, p_client text, p_user bigint, p_profiles jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- Without the lock, two concurrent lists would both be stored.
  PERFORM pg_advisory_xact_lock(hashtext('web_profiles'), hashint8(p_user));
  DELETE FROM web_profiles w WHERE w.user_id = p_user
    AND NOT EXISTS (SELECT FROM jsonb_array_elements(p_profiles) p WHERE p->>'url' = w.url);
  INSERT INTO web_profiles (user_id, place, service, title, url, username)
  SELECT p_user, place, p->>'service', p->>'title', p->>'url', p->>'username'
  FROM jsonb_array_elements(p_profiles) WITH ORDINALITY AS given(p, place)
  ON CONFLICT (user_id, url) DO UPDATE SET place = excluded.place, service = excluded.service, title = excluded.title,
    username = excluded.username;
  RETURN true;
END $$;
