-- Lists the mails that wait or failed, newest first, without what they say.
CREATE OR REPLACE FUNCTION list_mails(p_state text, p_before bigint, p_limit integer) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
    SELECT m.id, m.kind, m.recipient, m.user_id, u.username, m.state, m.tries, m.next_attempt_at, m.failure,
      id_created_at(m.id) AS queued_at
    FROM mails m LEFT JOIN users u ON u.id = m.user_id
    WHERE (p_state IS NULL OR m.state = p_state) AND m.id < coalesce(p_before, 9223372036854775807) ORDER BY m.id DESC LIMIT p_limit) r
$$;
