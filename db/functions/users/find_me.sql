-- Private tracks are unlisted, and few beside all of a user's: they are counted there.
CREATE OR REPLACE FUNCTION find_me(p_session bigint, p_client text, p_user bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN json_build_object('user', (
    SELECT (user_rows(p_user, ARRAY[p_user])->0)::jsonb || jsonb_build_object('plan', u.plan,
      'quota', q.quota, 'upload_seconds_used', q.quota->'seconds_used',
      'private_tracks_count', (SELECT count(*) FROM track_search_unlisted s WHERE s.user_id = u.id AND NOT s.public),
      'private_playlists_count', u.private_playlists_count + (SELECT coalesce(sum(d.delta), 0) FROM counter_deltas d
        WHERE d.subject_id = u.id AND d.kind = 'user' AND d.counter = 'private_playlists_count'),
      'primary_email_confirmed', (SELECT a.confirmed_at IS NOT NULL FROM accounts a WHERE a.user_id = u.id))
    FROM users u, LATERAL (SELECT quota_of(u.id) AS quota OFFSET 0) q WHERE u.id = p_user));
END $$;
