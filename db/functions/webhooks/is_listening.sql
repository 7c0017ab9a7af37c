-- Tells whether somebody's events are logged for a stream. Nearly nobody's are, so others cost one look at a small index. The
-- lock keeps the sweep from closing the log before the event is in it.
CREATE OR REPLACE FUNCTION is_listening(p_user bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT FROM event_streams WHERE user_id = p_user AND opened_at > now() - interval '1 day' FOR KEY SHARE)
$$;
