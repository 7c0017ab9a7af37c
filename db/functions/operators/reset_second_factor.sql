-- Forgets an operator's second factor and its attempts, so that the next entry sets up another. Null if the user is no
-- operator.
CREATE OR REPLACE FUNCTION reset_second_factor(p_permalink text, p_username_key text) RETURNS json LANGUAGE sql AS $$
  WITH forgotten AS (
    UPDATE operators SET secret_sealed = NULL, last_step = NULL, recovery_hashes = '{}', enrolled_at = NULL
    WHERE user_id = named_user(p_permalink, p_username_key) RETURNING user_id
  ), entries AS (
    DELETE FROM operator_entries e USING forgotten f WHERE e.user_id = f.user_id
  ), attempts AS (
    DELETE FROM failures USING forgotten f
    WHERE bucket IN ('second factor ' || f.user_id, 'second factor ' || f.user_id || ' of a day'))
  SELECT json_build_object('id', u.id, 'username', u.username) FROM forgotten f JOIN users u ON u.id = f.user_id
$$;
