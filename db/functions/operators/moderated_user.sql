-- Returns a user as operators see one. `state` is active, suspended, or leaving while the account is being erased.
CREATE OR REPLACE FUNCTION moderated_user(u users) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(r) FROM (
    SELECT u.id, u.username, u.permalink, u.plan, id_created_at(u.id) AS created_at, a.email,
      a.confirmed_at IS NOT NULL AS confirmed,
      CASE WHEN u.disabled_at IS NULL THEN 'active' WHEN a.user_id IS NULL THEN 'leaving' ELSE 'suspended' END AS state,
      s.reason AS suspended_for, CASE WHEN a.user_id IS NOT NULL THEN u.disabled_at END AS suspended_at
    FROM (SELECT) one LEFT JOIN accounts a ON a.user_id = u.id LEFT JOIN suspensions s ON s.user_id = u.id) r
$$;
