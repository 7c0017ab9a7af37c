-- Tells whether a webhook or a stream hears of a user's events. Nearly nobody has either, so others' events are never built.
-- The lock keeps the sweep from closing the log before the event is in it.
CREATE OR REPLACE FUNCTION is_told(p_user bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM webhooks w WHERE w.user_id = p_user AND w.enabled)
    OR EXISTS (SELECT FROM event_streams WHERE user_id = p_user AND opened_at > now() - interval '1 day' FOR KEY SHARE);
END $$;
