-- Lets a finished track take the place of an older one of its owner, which is deleted: its likes, reposts, comments, places in
-- sets, shares, plays, counts, permalinks, secret and day of publication, past or to come. Updates of these rows tell nobody, as
-- all triggers that do so wait for inserts. The track is public afterwards if either was. A repetition changes nothing.
CREATE OR REPLACE FUNCTION supersede_track(p_session bigint, p_client text, p_user bigint, p_id bigint, p_old bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  made tracks;
  gone tracks;
  posted bigint[];
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  PERFORM pg_advisory_xact_lock(hashtext('track_permalink'), hashint8(p_user));
  -- Locks jobs before tracks, like reports of encodes. Likes, comments and plays under way have locked a track by its key.
  PERFORM FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
  WHERE t.id IN (p_id, p_old) AND t.user_id = p_user ORDER BY j.track_id FOR UPDATE OF j;
  PERFORM FROM tracks t WHERE t.id IN (p_id, p_old) AND t.user_id = p_user ORDER BY t.id FOR UPDATE;
  SELECT * INTO made FROM tracks WHERE id = p_id AND user_id = p_user;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  SELECT * INTO gone FROM tracks WHERE id = p_old AND user_id = p_user;
  IF NOT FOUND AND EXISTS (SELECT FROM superseded_tracks s WHERE s.id = p_old AND s.track_id = p_id) THEN
    RETURN json_build_object('outcome', 'done', 'track', track_row(made, p_user, 'playable'));
  ELSIF gone.id IS NULL OR p_old = p_id THEN
    RETURN json_build_object('outcome', 'no_old_track');
  ELSIF made.state <> 'finished' THEN
    RETURN json_build_object('outcome', 'not_finished');
  ELSIF made.taken_down_at IS NOT NULL OR gone.taken_down_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'is_down');
  END IF;

  -- An artist who answered for the old one is not asked again, nor whoever declined, if the new one names them later.
  UPDATE credits c SET state = o.state FROM credits o
  WHERE c.track_id = p_id AND c.state = 'pending' AND o.track_id = p_old AND o.user_id = c.user_id
    AND (o.state = 'declined' OR o.state = 'accepted' AND o.roles @> c.roles);
  INSERT INTO credits (track_id, user_id, state) SELECT p_id, o.user_id, o.state FROM credits o
  WHERE o.track_id = p_old AND o.state = 'declined' ON CONFLICT DO NOTHING;

  -- A track that was published is not announced again by the connections of its owner.
  UPDATE connection_posts c SET track_id = p_id WHERE c.track_id = p_old AND NOT EXISTS (
    SELECT FROM connection_posts o WHERE o.track_id = p_id AND o.connection_id = c.connection_id AND o.kind = c.kind);
  posted := ARRAY(SELECT c.id FROM connection_posts c WHERE c.track_id = p_id);
  UPDATE tracks SET sharing = 'public' WHERE id = p_id AND sharing <> 'public' AND gone.sharing = 'public'
  RETURNING * INTO made;
  IF FOUND THEN
    DELETE FROM connection_posts c WHERE c.track_id = p_id AND c.kind = 'publish' AND c.id <> ALL (posted);
  ELSE
    SELECT * INTO made FROM tracks WHERE id = p_id;
  END IF;

  -- All counts go over as they stand, those of users who are away too. Whoever liked or reposted both did so once.
  UPDATE counter_deltas SET subject_id = p_id WHERE subject_id = p_old AND kind = 'track';
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', p_id, c.counter, -count(*) FROM (
    SELECT 'favoritings_count' AS counter, f.user_id FROM favorites f WHERE f.track_id = p_id
      AND EXISTS (SELECT FROM favorites o WHERE o.track_id = p_old AND o.user_id = f.user_id)
    UNION ALL SELECT 'reposts_count', r.user_id FROM reposts r WHERE r.track_id = p_id
      AND EXISTS (SELECT FROM reposts o WHERE o.track_id = p_old AND o.user_id = r.user_id)) c
  JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL GROUP BY c.counter;

  WITH moved AS (
    UPDATE favorites f SET track_id = p_id WHERE f.track_id = p_old
      AND NOT EXISTS (SELECT FROM favorites o WHERE o.track_id = p_id AND o.user_id = f.user_id)
    RETURNING f.id, f.user_id
  ), moved_activities AS (
    UPDATE activities a SET favored_track_id = p_id FROM moved m WHERE a.user_id = p_user AND a.about = 'own' AND a.id = m.id)
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', m.user_id, 'public_favorites_count', 1 FROM moved m
  WHERE made.sharing = 'public' AND (gone.sharing <> 'public' OR gone.state = 'failed');

  -- The change of `published_id` below posts reposts anew, at their places.
  WITH moved AS (
    UPDATE reposts r SET track_id = p_id WHERE r.track_id = p_old
      AND NOT EXISTS (SELECT FROM reposts o WHERE o.track_id = p_id AND o.user_id = r.user_id)
    RETURNING r.id)
  UPDATE news n SET subject_id = p_id FROM moved m WHERE n.id = m.id;

  WITH moved AS (
    UPDATE comments c SET track_id = p_id WHERE c.track_id = p_old RETURNING c.user_id
  ), steps AS (
    SELECT CASE WHEN t.reveal_comments THEN 'comments_count' ELSE 'quiet_comments_count' END AS counter, sum(t.step) AS step
    FROM (VALUES (gone.reveal_comments, gone.sharing, -1), (made.reveal_comments, made.sharing, 1)) t (reveal_comments, sharing, step)
    WHERE t.sharing = 'public' GROUP BY 1 HAVING sum(t.step) <> 0)
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'user', m.user_id, s.counter, s.step * count(*) FROM moved m, steps s GROUP BY m.user_id, s.counter, s.step;

  -- Removed comments, too, would return to the track that is there, and it answers for reports.
  UPDATE removals SET track_id = p_id WHERE track_id = p_old AND kind = 'comment';
  UPDATE reports SET target_id = p_id WHERE target_kind = 'track' AND target_id = p_old;

  -- In a set that holds both, the new one takes the old one's position.
  DELETE FROM playlist_tracks e WHERE e.track_id = p_id AND EXISTS (
    SELECT FROM playlist_tracks o WHERE o.track_id = p_old AND o.playlist_id = e.playlist_id);
  UPDATE playlist_tracks SET track_id = p_id WHERE track_id = p_old;

  -- An activity refers to its share by both keys, so it steps aside meanwhile.
  WITH share_activities AS (
    DELETE FROM activities a WHERE a.shared_track_id = p_old RETURNING a.*
  ), moved AS (
    UPDATE track_shares s SET track_id = p_id WHERE s.track_id = p_old
      AND NOT EXISTS (SELECT FROM track_shares o WHERE o.track_id = p_id AND o.user_id = s.user_id)
    RETURNING s.user_id)
  INSERT INTO activities (id, user_id, about, actor_id, shared_track_id, answers, transaction_id)
  SELECT t.id, t.user_id, t.about, t.actor_id, p_id, t.answers, t.transaction_id FROM share_activities t JOIN moved m ON m.user_id = t.user_id;

  INSERT INTO recent_plays AS r (user_id, track_id, played_at) SELECT o.user_id, p_id, o.played_at FROM recent_plays o WHERE o.track_id = p_old
  ON CONFLICT (user_id, track_id) DO UPDATE SET played_at = greatest(r.played_at, excluded.played_at);
  INSERT INTO user_plays AS u (user_id, track_id, plays) SELECT o.user_id, p_id, o.plays FROM user_plays o WHERE o.track_id = p_old
  ON CONFLICT (user_id, track_id) DO UPDATE SET plays = u.plays + excluded.plays;

  -- Insights go over as they stand, so the sums of their owner stay.
  WITH moved AS (
    DELETE FROM track_insights i WHERE i.track_id = p_old RETURNING i.*)
  INSERT INTO track_insights AS i (track_id, grain, started_at, plays, downloads, likes, reposts, comments)
  SELECT p_id, grain, started_at, plays, downloads, likes, reposts, comments FROM moved ORDER BY 2, 3
  ON CONFLICT (track_id, grain, started_at) DO UPDATE SET plays = i.plays + excluded.plays,
    downloads = i.downloads + excluded.downloads, likes = i.likes + excluded.likes,
    reposts = i.reposts + excluded.reposts, comments = i.comments + excluded.comments;
  WITH moved AS (
    DELETE FROM track_breakdowns b WHERE b.track_id = p_old RETURNING b.*)
  INSERT INTO track_breakdowns AS b (track_id, dimension, grain, started_at, value, plays, listeners)
  SELECT p_id, dimension, grain, started_at, value, plays, listeners FROM moved ORDER BY 2, 3, 4, 5
  ON CONFLICT (track_id, dimension, grain, started_at, value) DO UPDATE SET plays = b.plays + excluded.plays,
    listeners = CASE b.dimension
      WHEN 'all' THEN ARRAY(SELECT max(c) FROM unnest(b.listeners || excluded.listeners) c GROUP BY c / 32 ORDER BY 1)
      ELSE (ARRAY(SELECT DISTINCT c FROM unnest(b.listeners || excluded.listeners) c ORDER BY 1))[:5] END;
  UPDATE pending_plays SET track_id = p_id WHERE track_id = p_old;

  -- Season and number, like the GUID of feeds, belong to the place; the transcript belongs to the recording.
  UPDATE episodes e SET transcript_url = n.transcript_url FROM episodes n
  WHERE e.track_id = p_old AND n.track_id = p_id AND n.transcript_url IS NOT NULL;
  DELETE FROM episodes n WHERE n.track_id = p_id AND EXISTS (SELECT FROM episodes e WHERE e.track_id = p_old);
  UPDATE episodes SET guid = NULL WHERE track_id = p_id AND guid IS NOT NULL;
  UPDATE episodes SET track_id = p_id, updated_at = now() WHERE track_id = p_old;
  UPDATE podcast_import_episodes SET track_id = p_id WHERE track_id = p_old;
  UPDATE transcripts SET track_id = p_id WHERE track_id = p_old AND NOT EXISTS (SELECT FROM transcripts o WHERE o.track_id = p_id);
  -- Chapters that somebody made outlive those that a file brought along.
  DELETE FROM chapters n USING chapters o
  WHERE n.track_id = p_id AND n.source = 'file' AND o.track_id = p_old AND o.source = 'uploaded';
  UPDATE chapters SET track_id = p_id WHERE track_id = p_old AND NOT EXISTS (SELECT FROM chapters o WHERE o.track_id = p_id);
  UPDATE chapter_pictures SET track_id = p_id WHERE track_id = p_old;
  DELETE FROM chapter_pictures p WHERE p.track_id = p_id AND NOT EXISTS (
    SELECT FROM chapters c WHERE c.track_id = p_id
      AND c.chapters @> jsonb_build_array(jsonb_build_object('picture', p.version)));
  UPDATE former_addresses SET track_id = p_id WHERE track_id = p_old;
  UPDATE superseded_tracks SET track_id = p_id WHERE track_id = p_old;
  PERFORM delete_track(p_session, p_client, p_user, p_old, NULL);
  INSERT INTO superseded_tracks (id, track_id) VALUES (p_old, p_id);

  UPDATE tracks t SET updated_at = now(), permalink = gone.permalink,
    permalink_chosen = gone.permalink_chosen OR gone.sharing = 'public' OR gone.was_public,
    published_id = CASE WHEN gone.sharing = 'public' OR gone.was_public THEN gone.published_id ELSE t.published_id END,
    publish_at = CASE t.sharing WHEN 'private' THEN coalesce(gone.publish_at, t.publish_at) END,
    was_public = t.was_public OR gone.was_public OR gone.sharing = 'public',
    secret_hash = gone.secret_hash, secret_sealed = gone.secret_sealed,
    playback_count = t.playback_count + gone.playback_count, download_count = t.download_count + gone.download_count,
    favoritings_count = t.favoritings_count + gone.favoritings_count, reposts_count = t.reposts_count + gone.reposts_count,
    comment_count = t.comment_count + gone.comment_count
  WHERE t.id = p_id RETURNING * INTO made;
  -- It keeps its own place where the older one was never public. Reposts of that one, by those who had its link, show from now on.
  INSERT INTO posts (id, kind, user_id, subject_id)
  SELECT p.id, p.kind, p.user_id, p.subject_id FROM public_posts p WHERE p.subject_id = p_id AND p.kind = 'track-repost'
  ON CONFLICT DO NOTHING;
  RETURN json_build_object('outcome', 'done', 'track', track_row(made, p_user, 'playable'));
END $$;
