-- Creates a playlist of the caller's tracks, gives them `p_track`, and makes all of them public in one transaction, or sets the time
-- at which they become so. Tracks are published from the last to the first and the playlist after them, so that lists with the
-- newest on top begin with the playlist and go on in its order. A track that is public stays so until a later time.
CREATE OR REPLACE FUNCTION create_release(
  p_session bigint, p_client text, p_user bigint, p_playlist jsonb, p_track jsonb, p_permalink text, p_secret_hash bytea,
  p_secret_sealed bytea, p_tracks bigint[], p_country text, p_budget jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused record;
  created jsonb;
  changed json;
  made bigint;
  track record;
  publish_at timestamptz := p_playlist->>'publish_at';
  publication jsonb := CASE WHEN publish_at IS NULL THEN '{"sharing": "public"}' ELSE jsonb_build_object('publish_at', publish_at) END;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- The order of `create_playlist`, and the locks that a change of visibility needs: plays lock several tracks by their keys.
  PERFORM pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user));
  PERFORM FROM tracks t WHERE t.id = ANY (p_tracks) AND t.user_id = p_user ORDER BY t.id FOR UPDATE;
  SELECT n.id, t.title, CASE WHEN t.id IS NULL THEN 'unknown_track' WHEN t.taken_down_at IS NOT NULL THEN 'taken_down'
    ELSE 'failed_track' END AS outcome INTO refused
  FROM unnest(p_tracks) WITH ORDINALITY AS n(id, place) LEFT JOIN tracks t ON t.id = n.id AND t.user_id = p_user
  WHERE t.id IS NULL OR t.taken_down_at IS NOT NULL OR t.state = 'failed'
  ORDER BY n.place LIMIT 1;
  IF FOUND THEN
    RETURN jsonb_build_object('outcome', refused.outcome, 'title', refused.title);
  ELSIF publish_at <= now() THEN
    RETURN jsonb_build_object('outcome', 'time_passed');
  END IF;
  created := create_playlist(p_session, p_client, p_user, p_playlist || '{"sharing": "private"}', p_permalink, p_secret_hash,
    p_secret_sealed, p_tracks, p_country, p_budget);
  IF created->>'outcome' <> 'done' THEN
    RETURN created;
  END IF;
  made := created->'playlist'->>'id';
  FOR track IN
    SELECT n.id, t.sharing FROM unnest(p_tracks) WITH ORDINALITY AS n(id, place) JOIN tracks t USING (id) ORDER BY n.place DESC
  LOOP
    changed := update_track(p_session, p_client, p_user, track.id,
      p_track || CASE WHEN track.sharing = 'public' THEN '{}' ELSE publication END, NULL, p_shows => false);
    IF changed->>'outcome' <> 'done' THEN
      RAISE EXCEPTION 'track % of a release: %', track.id, changed->>'outcome';
    END IF;
  END LOOP;
  IF publish_at IS NULL THEN
    UPDATE playlists SET sharing = 'public' WHERE id = made;
  END IF;
  RETURN playlist_reply(p_user, p_country, made) || jsonb_build_object('outcome', 'done', 'spent', created->'spent');
END $$;
