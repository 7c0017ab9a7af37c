-- Removes a comment, a set or a picture (`p_kind`: `comment`, `playlist`, or `picture` of the track, set or user `p_of`). A comment
-- leaves its table and a picture its row; a set is private, and its secret opens it no more. `p_version` is the picture that the
-- operator saw: one that the owner has put in its place stays. Returns the id of the case.
CREATE OR REPLACE FUNCTION remove_post(p_by jsonb, p_kind text, p_of text, p_id bigint, p_version text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c comments;
  p playlists;
  made removals;
BEGIN
  PERFORM require_operator(p_by);
  made := jsonb_populate_record(NULL::removals, jsonb_build_object('kind', p_kind, 'reason', p_by->>'reason'));
  IF p_kind = 'comment' THEN
    -- Locks the track before its comment, like whoever deletes the track.
    PERFORM FROM tracks WHERE id = (SELECT track_id FROM comments WHERE id = p_id) FOR KEY SHARE;
    SELECT * INTO c FROM comments WHERE id = p_id FOR UPDATE;
    made.user_id := c.user_id;
    made.track_id := c.track_id;
    made.comment_id := c.id;
    made.comment := to_jsonb(c) || jsonb_build_object('transaction_id', (
      SELECT a.transaction_id FROM activities a WHERE a.comment_id = c.id LIMIT 1));
    made.name := left(replace(replace(replace(replace(regexp_replace(c.body, '<[^>]*>', '', 'g'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'), 100);
  ELSIF p_kind = 'playlist' THEN
    SELECT * INTO p FROM playlists WHERE id = p_id FOR UPDATE;
    IF p.taken_down_at IS NOT NULL THEN
      RETURN json_build_object('outcome', 'already');
    END IF;
    made.user_id := p.user_id;
    made.playlist_id := p.id;
    made.sharing := p.sharing;
    made.secret_hash := p.secret_hash;
    made.name := p.title;
  ELSE
    made := shown_picture(made, p_of, p_id);
    IF made.user_id IS NOT NULL AND made.picture_version IS NULL THEN
      RETURN json_build_object('outcome', 'no_picture');
    ELSIF made.picture_version <> p_version THEN
      RETURN json_build_object('outcome', 'changed');
    END IF;
  END IF;
  IF made.user_id IS NULL THEN
    RETURN json_build_object('outcome', CASE WHEN p_kind = 'comment' AND EXISTS (
      SELECT FROM removals r WHERE r.comment_id = p_id AND r.kind = 'comment' AND r.restored_at IS NULL)
      THEN 'already' ELSE 'unknown' END);
  END IF;
  IF p_kind = 'comment' THEN
    DELETE FROM comments WHERE id = p_id;
  ELSIF p_kind = 'playlist' THEN
    UPDATE playlists SET taken_down_at = now(), sharing = 'private', updated_at = now(),
      secret_hash = sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    WHERE id = p_id;
  ELSE
    PERFORM show_picture(p_of, p_id, NULL, NULL);
  END IF;
  -- A picture is listed as garbage until the row of its case refers to it.
  INSERT INTO removals (kind, user_id, track_id, playlist_id, comment_id, comment, picture_version, picture_colors, sharing,
    secret_hash, name, reason)
  VALUES (made.kind, made.user_id, made.track_id, made.playlist_id, made.comment_id, made.comment, made.picture_version,
    made.picture_colors, made.sharing, made.secret_hash, made.name, made.reason)
  RETURNING * INTO made;
  PERFORM tell_of_removal(made.id, 'removed', made.reason);
  PERFORM note_act(p_by, p_kind || '.remove', p_kind, p_id, made.name, jsonb_build_object('user_id', made.user_id, 'removal', made.id)
    || CASE p_kind WHEN 'picture' THEN jsonb_build_object('of', p_of) ELSE '{}' END);
  RETURN json_build_object('outcome', 'done', 'removal', made.id);
END $$;
