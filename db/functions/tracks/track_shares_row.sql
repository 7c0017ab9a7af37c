CREATE OR REPLACE FUNCTION track_shares_row(p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('outcome', 'done',
    'users', coalesce(json_agg(mini_user(s.user_id) ORDER BY s.id), '[]'),
    'note', (array_agg(s.note ORDER BY s.id DESC))[1])
  FROM track_shares s JOIN users u ON u.id = s.user_id WHERE s.track_id = p_id AND u.disabled_at IS NULL
$$;
