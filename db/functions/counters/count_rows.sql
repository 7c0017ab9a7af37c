-- Returns the counters of subjects, each with what is stored and with the number of its rows. STABLE, so it sees the
-- snapshot of the statement that calls it. Marks of users who left or are suspended do not count.
CREATE OR REPLACE FUNCTION count_rows(p_kind text, p_ids bigint[])
RETURNS TABLE (id bigint, counter text, stored bigint, actual bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  CASE p_kind
    WHEN 'track' THEN
      RETURN QUERY SELECT t.id, c.* FROM tracks t, LATERAL (VALUES
        ('comment_count', t.comment_count,
          (SELECT count(*) FROM comments c WHERE c.track_id = t.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = c.user_id AND l.disabled_at IS NOT NULL))),
        ('favoritings_count', t.favoritings_count,
          (SELECT count(*) FROM favorites f WHERE f.track_id = t.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = f.user_id AND l.disabled_at IS NOT NULL))),
        ('reposts_count', t.reposts_count,
          (SELECT count(*) FROM reposts r WHERE r.track_id = t.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = r.user_id AND l.disabled_at IS NOT NULL)))) c
      WHERE t.id = ANY (p_ids);
    WHEN 'playlist' THEN
      RETURN QUERY SELECT p.id, c.* FROM playlists p, LATERAL (VALUES
        ('favoritings_count', p.favoritings_count,
          (SELECT count(*) FROM playlist_favorites f WHERE f.playlist_id = p.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = f.user_id AND l.disabled_at IS NOT NULL))),
        ('reposts_count', p.reposts_count,
          (SELECT count(*) FROM playlist_reposts r WHERE r.playlist_id = p.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = r.user_id AND l.disabled_at IS NOT NULL)))) c
      WHERE p.id = ANY (p_ids);
    WHEN 'user' THEN
      RETURN QUERY SELECT u.id, c.* FROM users u, LATERAL (VALUES
        ('playlist_count', u.playlist_count,
          (SELECT count(*) FROM playlists p WHERE p.user_id = u.id AND p.sharing = 'public')),
        ('private_playlists_count', u.private_playlists_count,
          (SELECT count(*) FROM playlists p WHERE p.user_id = u.id AND p.sharing <> 'public')),
        ('followers_count', u.followers_count,
          (SELECT count(*) FROM followings f WHERE f.followee_id = u.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = f.user_id AND l.disabled_at IS NOT NULL))),
        ('followings_count', u.followings_count,
          (SELECT count(*) FROM followings f WHERE f.user_id = u.id AND NOT EXISTS (
            SELECT FROM users l WHERE l.id = f.followee_id AND l.disabled_at IS NOT NULL))),
        ('public_favorites_count', u.public_favorites_count, (SELECT count(*) FROM favorites f
          JOIN tracks t ON t.id = f.track_id JOIN users o ON o.id = t.user_id
          WHERE f.user_id = u.id AND t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL)),
        ('reposts_count', u.reposts_count, (SELECT count(*) FROM public_posts p
          WHERE p.user_id = u.id AND p.kind IN ('track-repost', 'playlist-repost'))),
        ('comments_count', u.comments_count, (SELECT count(*) FROM comments c
          JOIN tracks t ON t.id = c.track_id JOIN users o ON o.id = t.user_id
          WHERE c.user_id = u.id AND t.sharing = 'public' AND t.reveal_comments AND o.disabled_at IS NULL)),
        ('quiet_comments_count', u.quiet_comments_count, (SELECT count(*) FROM comments c
          JOIN tracks t ON t.id = c.track_id JOIN users o ON o.id = t.user_id
          WHERE c.user_id = u.id AND t.sharing = 'public' AND NOT t.reveal_comments AND o.disabled_at IS NULL))) c
      WHERE u.id = ANY (p_ids);
  END CASE;
END $$;
