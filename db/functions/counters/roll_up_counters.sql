-- Adds pending deltas to their counters and to the insights of their hour, and returns their number. Waits for nobody: locked
-- deltas, and those of locked subjects, are left for the next call.
CREATE OR REPLACE FUNCTION roll_up_counters(p_limit integer) RETURNS integer LANGUAGE sql AS $$
  WITH batch AS MATERIALIZED (
    SELECT id, kind, subject_id FROM counter_deltas ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), held_tracks AS MATERIALIZED (
    SELECT t.id, t.user_id FROM tracks t WHERE t.id IN (SELECT subject_id FROM batch WHERE kind = 'track')
    FOR NO KEY UPDATE SKIP LOCKED
  ), held_playlists AS MATERIALIZED (
    SELECT p.id FROM playlists p WHERE p.id IN (SELECT subject_id FROM batch WHERE kind = 'playlist')
    FOR NO KEY UPDATE SKIP LOCKED
  ), held_users AS MATERIALIZED (
    SELECT u.id FROM users u WHERE u.id IN (SELECT subject_id FROM batch WHERE kind = 'user')
    FOR NO KEY UPDATE SKIP LOCKED
  ), taken AS (
    -- Selects by an array: a join would read the whole table if its statistics date from when it was empty.
    DELETE FROM counter_deltas d
    WHERE d.id = ANY (ARRAY(SELECT b.id FROM batch b WHERE CASE b.kind
      WHEN 'track' THEN b.subject_id IN (SELECT id FROM held_tracks)
        OR NOT EXISTS (SELECT FROM tracks t WHERE t.id = b.subject_id)
      WHEN 'playlist' THEN b.subject_id IN (SELECT id FROM held_playlists)
        OR NOT EXISTS (SELECT FROM playlists p WHERE p.id = b.subject_id)
      ELSE b.subject_id IN (SELECT id FROM held_users) OR NOT EXISTS (SELECT FROM users u WHERE u.id = b.subject_id) END))
    RETURNING d.kind, d.subject_id, d.counter, d.hour, d.delta
  ), owed AS (
    SELECT kind, subject_id, jsonb_object_agg(counter, delta) AS counts
    FROM (SELECT kind, subject_id, counter, sum(delta) AS delta FROM taken GROUP BY kind, subject_id, counter) c
    GROUP BY kind, subject_id
  ), counted_tracks AS (
    UPDATE tracks t SET
      comment_count = t.comment_count + coalesce((counts->>'comment_count')::bigint, 0),
      download_count = t.download_count + coalesce((counts->>'download_count')::bigint, 0),
      playback_count = t.playback_count + coalesce((counts->>'playback_count')::bigint, 0),
      favoritings_count = t.favoritings_count + coalesce((counts->>'favoritings_count')::bigint, 0),
      reposts_count = t.reposts_count + coalesce((counts->>'reposts_count')::bigint, 0)
    FROM owed WHERE kind = 'track' AND t.id = subject_id
  ), counted_playlists AS (
    UPDATE playlists p SET
      favoritings_count = p.favoritings_count + coalesce((counts->>'favoritings_count')::bigint, 0),
      reposts_count = p.reposts_count + coalesce((counts->>'reposts_count')::bigint, 0)
    FROM owed WHERE kind = 'playlist' AND p.id = subject_id
  ), counted_users AS (
    UPDATE users u SET
      playlist_count = u.playlist_count + coalesce((counts->>'playlist_count')::bigint, 0),
      private_playlists_count = u.private_playlists_count + coalesce((counts->>'private_playlists_count')::bigint, 0),
      followers_count = u.followers_count + coalesce((counts->>'followers_count')::bigint, 0),
      followings_count = u.followings_count + coalesce((counts->>'followings_count')::bigint, 0),
      public_favorites_count = u.public_favorites_count + coalesce((counts->>'public_favorites_count')::bigint, 0),
      reposts_count = u.reposts_count + coalesce((counts->>'reposts_count')::bigint, 0),
      comments_count = u.comments_count + coalesce((counts->>'comments_count')::bigint, 0),
      quiet_comments_count = u.quiet_comments_count + coalesce((counts->>'quiet_comments_count')::bigint, 0)
    FROM owed WHERE kind = 'user' AND u.id = subject_id
  ), dated AS (
    SELECT t.kind, t.subject_id, h.user_id AS owner_id, g.grain, date_trunc(g.grain, t.hour, 'UTC') AS started_at,
      coalesce(sum(t.delta) FILTER (WHERE t.counter = 'playback_count'), 0) AS plays,
      coalesce(sum(t.delta) FILTER (WHERE t.counter = 'download_count'), 0) AS downloads,
      coalesce(sum(t.delta) FILTER (WHERE t.counter = 'favoritings_count'), 0) AS likes,
      coalesce(sum(t.delta) FILTER (WHERE t.kind <> 'user' AND t.counter = 'reposts_count'), 0) AS reposts,
      coalesce(sum(t.delta) FILTER (WHERE t.counter = 'comment_count'), 0) AS comments,
      coalesce(sum(t.delta) FILTER (WHERE t.counter = 'followers_count'), 0) AS followers
    FROM taken t LEFT JOIN held_tracks h ON t.kind = 'track' AND h.id = t.subject_id,
      (VALUES ('hour'), ('day'), ('month')) g (grain)
    WHERE CASE t.kind WHEN 'track' THEN h.id IS NOT NULL
      WHEN 'playlist' THEN t.subject_id IN (SELECT id FROM held_playlists)
      ELSE t.counter = 'followers_count' AND t.subject_id IN (SELECT id FROM held_users) END
    GROUP BY t.kind, t.subject_id, h.user_id, g.grain, 5
  ), dated_tracks AS (
    -- Rows are locked in one order, here and where a track is deleted, against deadlocks.
    INSERT INTO track_insights AS i (track_id, grain, started_at, plays, downloads, likes, reposts, comments)
    SELECT subject_id, grain, started_at, plays, downloads, likes, reposts, comments FROM dated WHERE kind = 'track'
    ORDER BY 1, 2, 3
    ON CONFLICT (track_id, grain, started_at) DO UPDATE SET plays = i.plays + excluded.plays,
      downloads = i.downloads + excluded.downloads, likes = i.likes + excluded.likes,
      reposts = i.reposts + excluded.reposts, comments = i.comments + excluded.comments
  ), dated_playlists AS (
    INSERT INTO playlist_insights AS i (playlist_id, grain, started_at, likes, reposts)
    SELECT subject_id, grain, started_at, likes, reposts FROM dated WHERE kind = 'playlist' ORDER BY 1, 2, 3
    ON CONFLICT (playlist_id, grain, started_at) DO UPDATE SET likes = i.likes + excluded.likes,
      reposts = i.reposts + excluded.reposts
  ), dated_users AS (
    INSERT INTO user_insights AS i (user_id, grain, started_at, plays, downloads, likes, reposts, comments, followers)
    SELECT coalesce(owner_id, subject_id), grain, started_at, sum(plays), sum(downloads), sum(likes), sum(reposts),
      sum(comments), sum(followers)
    FROM dated WHERE kind <> 'playlist' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (user_id, grain, started_at) DO UPDATE SET plays = i.plays + excluded.plays,
      downloads = i.downloads + excluded.downloads, likes = i.likes + excluded.likes,
      reposts = i.reposts + excluded.reposts, comments = i.comments + excluded.comments,
      followers = i.followers + excluded.followers
  )
  SELECT count(*)::integer FROM taken
$$;
