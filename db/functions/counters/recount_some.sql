-- Recounts a batch of `track`, `playlist` or `user` and appends differences as deltas, which locks no subject. One
-- snapshot covers rows, counters and deltas. Null if nothing is due or another batch runs. Plays and downloads leave no
-- rows.
CREATE OR REPLACE FUNCTION recount_some(p_kind text, p_limit integer) RETURNS json LANGUAGE plpgsql
SET random_page_cost = 1.1 AS $$
DECLARE
  rows_at_most CONSTANT bigint := 100000;
  tonight timestamptz := date_trunc('day', now() - interval '3 hours') + interval '3 hours';
  pass recounts;
  ids bigint[];
  wrong jsonb;
BEGIN
  INSERT INTO recounts (kind) VALUES (p_kind) ON CONFLICT DO NOTHING;
  SELECT * INTO pass FROM recounts WHERE kind = p_kind AND (after_id IS NOT NULL OR begun_at < tonight) FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF pass.after_id IS NULL THEN
    pass.after_id := 0;
    pass.begun_at := now();
    pass.checked := 0;
    pass.repaired := 0;
  END IF;
  EXECUTE format('SELECT array_agg(id ORDER BY id) FROM (
      SELECT id, sum(rows) OVER (ORDER BY id) - rows AS rows_before
      FROM (SELECT id, %s AS rows FROM %I WHERE id > $1 ORDER BY id LIMIT $2) s) s WHERE rows_before < $3',
    CASE p_kind WHEN 'track' THEN 'comment_count + favoritings_count + reposts_count'
      WHEN 'playlist' THEN 'favoritings_count + reposts_count'
      ELSE 'followers_count + followings_count + public_favorites_count + reposts_count + comments_count' END,
    p_kind || 's') INTO ids USING pass.after_id, p_limit, rows_at_most;
  -- A row that came between a migration and its triggers has no entry.
  INSERT INTO stored_objects (prefix, kind, user_id, bytes)
  SELECT prefix, kind, user_id, bytes FROM shown_objects WHERE subject = p_kind AND id = ANY (ids) ON CONFLICT DO NOTHING;
  WITH counted AS (
    -- Users who left or are suspended are not counted.
    SELECT t.id, c.* FROM tracks t, LATERAL (VALUES
      ('comment_count', t.comment_count,
        (SELECT count(*) FROM comments c WHERE c.track_id = t.id AND NOT EXISTS (
          SELECT FROM users l WHERE l.id = c.user_id AND l.disabled_at IS NOT NULL))),
      ('favoritings_count', t.favoritings_count,
        (SELECT count(*) FROM favorites f WHERE f.track_id = t.id AND NOT EXISTS (
          SELECT FROM users l WHERE l.id = f.user_id AND l.disabled_at IS NOT NULL))),
      ('reposts_count', t.reposts_count,
        (SELECT count(*) FROM reposts r WHERE r.track_id = t.id AND NOT EXISTS (
          SELECT FROM users l WHERE l.id = r.user_id AND l.disabled_at IS NOT NULL)))) c (counter, stored, actual)
    WHERE t.id = ANY (ids) AND p_kind = 'track'
    UNION ALL SELECT p.id, c.* FROM playlists p, LATERAL (VALUES
      ('favoritings_count', p.favoritings_count,
        (SELECT count(*) FROM playlist_favorites f WHERE f.playlist_id = p.id AND NOT EXISTS (
          SELECT FROM users l WHERE l.id = f.user_id AND l.disabled_at IS NOT NULL))),
      ('reposts_count', p.reposts_count,
        (SELECT count(*) FROM playlist_reposts r WHERE r.playlist_id = p.id AND NOT EXISTS (
          SELECT FROM users l WHERE l.id = r.user_id AND l.disabled_at IS NOT NULL)))) c (counter, stored, actual)
    WHERE p.id = ANY (ids) AND p_kind = 'playlist'
    UNION ALL SELECT u.id, c.* FROM users u, LATERAL (VALUES
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
        WHERE c.user_id = u.id AND t.sharing = 'public' AND NOT t.reveal_comments AND o.disabled_at IS NULL))
      ) c (counter, stored, actual)
    WHERE u.id = ANY (ids) AND p_kind = 'user'
  ), missing AS (
    SELECT c.id, c.counter, c.actual - c.stored - coalesce((SELECT sum(d.delta) FROM counter_deltas d
      WHERE d.subject_id = c.id AND d.kind = p_kind AND d.counter = c.counter), 0) AS delta
    FROM counted c
  ), repaired AS (
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT p_kind, id, counter, delta FROM missing WHERE delta <> 0 RETURNING subject_id, counter, delta)
  SELECT jsonb_agg(jsonb_build_object('id', subject_id, 'counter', counter, 'delta', delta)) INTO wrong FROM repaired;
  UPDATE recounts SET after_id = ids[cardinality(ids)], begun_at = pass.begun_at,
    checked = pass.checked + coalesce(cardinality(ids), 0),
    repaired = pass.repaired + coalesce(jsonb_array_length(wrong), 0)
  WHERE kind = p_kind RETURNING * INTO pass;
  RETURN json_build_object('wrong', coalesce(wrong, '[]'), 'checked', pass.checked, 'repaired', pass.repaired,
    'ended', pass.after_id IS NULL);
END $$;
