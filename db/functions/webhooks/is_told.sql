-- Tells whether a webhook or a stream hears of a user's events. Nearly nobody has either, so others' events are never built.
CREATE OR REPLACE FUNCTION is_told(p_user bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM webhooks w WHERE w.user_id = p_user AND w.enabled) OR is_listening(p_user);
END $$;
