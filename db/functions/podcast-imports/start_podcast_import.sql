-- Starts an import whose feed is proven to be its user's: by the mailed code, or by a text that was found in the feed. Makes
-- the set, or takes the one that an earlier import of the feed has filled, and gives its feed the former GUID.
CREATE OR REPLACE FUNCTION start_podcast_import(
  p_session bigint, p_client text, p_user bigint, p_import bigint, p_code_hash text, p_in_feed boolean, p_most_tries integer,
  p_set jsonb, p_podcast jsonb, p_permalink text, p_secret_hash bytea, p_secret_sealed bytea
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  moving podcast_imports;
  target bigint;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- Orders a user's requests that start imports or choose permalinks.
  PERFORM pg_advisory_xact_lock(hashtext('playlist_permalink'), hashint8(p_user));
  SELECT * INTO moving FROM podcast_imports WHERE id = p_import AND user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '{"outcome": "unknown"}';
  ELSIF moving.state = 'running' THEN
    RETURN '{"outcome": "done"}';
  ELSIF moving.state <> 'preview' THEN
    RETURN '{"outcome": "ended"}';
  ELSIF moving.tries >= p_most_tries THEN
    RETURN '{"outcome": "too_many_tries"}';
  ELSIF NOT p_in_feed AND moving.code_hash IS DISTINCT FROM p_code_hash THEN
    UPDATE podcast_imports SET tries = tries + 1 WHERE id = p_import;
    RETURN '{"outcome": "wrong_code"}';
  ELSIF EXISTS (SELECT FROM podcast_imports WHERE user_id = p_user AND state = 'running') THEN
    RETURN '{"outcome": "another_runs"}';
  END IF;
  -- An import of the same feed may have run since the preview.
  UPDATE podcast_import_episodes e SET state = 'left_out', reason = 'already_here'
  WHERE e.import_id = p_import AND e.state = 'waiting' AND (
    EXISTS (SELECT FROM episodes h JOIN tracks t ON t.id = h.track_id WHERE t.user_id = p_user AND h.guid = e.guid)
    OR EXISTS (SELECT FROM podcast_imports i JOIN podcast_import_episodes h ON h.import_id = i.id
      JOIN tracks t ON t.id = h.track_id WHERE i.user_id = p_user AND h.guid = e.guid));
  SELECT i.playlist_id INTO target FROM podcast_imports i
  WHERE i.user_id = p_user AND i.feed_url = moving.feed_url AND i.playlist_id IS NOT NULL ORDER BY i.id DESC LIMIT 1;
  IF target IS NULL THEN
    INSERT INTO playlists (user_id, title, permalink, description, sanitizer_version, podcast_guid, secret_hash, secret_sealed)
    VALUES (p_user, p_set->>'title', free_permalink('playlist', p_user, p_permalink, NULL), p_set->>'description', (p_set->>'sanitizer_version')::smallint,
      (p_set->>'guid')::uuid, p_secret_hash, p_secret_sealed)
    RETURNING id INTO target;
    INSERT INTO podcasts SELECT f.* FROM jsonb_populate_record(
      NULL::podcasts, p_podcast || jsonb_build_object('playlist_id', target, 'updated_at', now())) f;
  END IF;
  UPDATE podcast_imports SET state = 'running', playlist_id = target, code_hash = NULL, next_run_at = now(), started_at = now()
  WHERE id = p_import;
  RETURN '{"outcome": "done"}';
END $$;
