-- Returns how many more attempts may run to a user's slow targets, or to the others. A target that hangs takes room from its
-- owner alone, and a wait of fifteen seconds takes more of it than one of two.
CREATE OR REPLACE FUNCTION webhook_room(p_user bigint, p_slow boolean) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(CASE WHEN p_slow THEN 4 ELSE 32 END - count(*)::integer, 0)
  FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
  WHERE w.user_id = p_user AND w.slow = p_slow AND d.attempt IS NOT NULL AND d.next_attempt_at > now()
$$;
