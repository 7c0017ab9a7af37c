-- Tells whether somebody's events are logged for a stream. Nearly nobody's are, so others cost one look at a small index.
CREATE OR REPLACE FUNCTION is_listening(p_user bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_streams WHERE user_id = p_user)
$$;
