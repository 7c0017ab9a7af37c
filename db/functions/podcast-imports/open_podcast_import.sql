-- Stores what a feed offers, in place of an earlier preview, and mails the code to the feed's owner. Episodes that the user has
-- already are left out. A feed can name anybody, so an address gets five codes an hour, across accounts. Without one, only the
-- feed proves it.
CREATE OR REPLACE FUNCTION open_podcast_import(
  p_session bigint, p_client text, p_user bigint, p_import jsonb, p_episodes jsonb, p_code_hash text, p_code_sealed bytea
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  opened bigint;
  address text := p_import->>'owner_email';
  attempt record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF address IS NOT NULL THEN
    SELECT * INTO attempt FROM take_attempt(
      ARRAY['podcast-code ' || encode(sha256(convert_to(lower(address), 'UTF8')), 'base64')], ARRAY[5], ARRAY[interval '1 hour']);
    address := CASE WHEN attempt.wait = 0 THEN address END;
  END IF;
  DELETE FROM podcast_imports WHERE user_id = p_user AND state = 'preview';
  INSERT INTO podcast_imports (user_id, app_id, feed_url, title, show, owner_email, code_hash)
  VALUES (p_user, (SELECT id FROM apps WHERE client_id = p_client), p_import->>'feed_url', p_import->>'title', p_import->'show',
    address, p_code_hash)
  RETURNING id INTO opened;
  INSERT INTO podcast_import_episodes (import_id, position, guid, title, published_at, item, host, size, state, reason)
  SELECT opened, e.position, e.guid, e.title, e.published_at, e.item, e.host, e.size,
    CASE WHEN coalesce(e.reason, k.reason) IS NULL THEN 'waiting' ELSE 'left_out' END, coalesce(e.reason, k.reason)
  FROM jsonb_to_recordset(p_episodes->'all') AS e (position integer, guid text, title text, published_at timestamptz, item jsonb,
    host text, size bigint, reason text)
  LEFT JOIN (
    SELECT h.guid, 'already_here' AS reason FROM episodes h JOIN tracks t ON t.id = h.track_id
    WHERE t.user_id = p_user AND h.guid IS NOT NULL
    UNION
    -- One that took an older track's place has that one's guid in our feed.
    SELECT h.guid, 'already_here' FROM podcast_imports i JOIN podcast_import_episodes h ON h.import_id = i.id
    JOIN tracks t ON t.id = h.track_id WHERE i.user_id = p_user) k ON k.guid = e.guid;
  IF address IS NOT NULL THEN
    PERFORM queue_mail(p_user, 'podcast-code', address, NULL, p_code_sealed, NULL);
  END IF;
  RETURN jsonb_build_object('outcome', 'done', 'id', opened);
END $$;
