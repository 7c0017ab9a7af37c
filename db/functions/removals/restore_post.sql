-- Restores what a case removed. A comment returns to its place, and nobody is told of it again; a set is shared as before, unless its owner made
-- it private meanwhile; a picture returns unless its owner has chosen another. Of two who restore, the second finds it done.
CREATE OR REPLACE FUNCTION restore_post(p_by jsonb, p_removal bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  r removals;
  of text;
  restored jsonb;
BEGIN
  PERFORM require_operator(p_by);
  SELECT * INTO r FROM removals WHERE id = p_removal;
  IF r.kind = 'track' THEN
    -- Locks the track first, like every act on it.
    RETURN act_on_track(p_by, 'put-back', r.track_id);
  END IF;
  of := CASE WHEN r.track_id IS NOT NULL THEN 'track' WHEN r.playlist_id IS NOT NULL THEN 'playlist' ELSE 'user' END;
  PERFORM FROM tracks WHERE id = r.track_id FOR UPDATE;
  PERFORM FROM playlists WHERE id = r.playlist_id FOR UPDATE;
  PERFORM FROM users WHERE id = r.user_id FOR NO KEY UPDATE;
  SELECT * INTO r FROM removals WHERE id = p_removal FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF r.restored_at IS NOT NULL THEN
    RETURN json_build_object('outcome', 'already');
  ELSIF r.kind = 'picture' AND (shown_picture(NULL, of, coalesce(r.track_id, r.playlist_id, r.user_id))).picture_version IS NOT NULL THEN
    RETURN json_build_object('outcome', 'replaced');
  END IF;
  PERFORM end_removal(p_removal, p_by->>'reason');
  CASE r.kind
    WHEN 'comment' THEN
      restored := r.comment || jsonb_build_object('track_id', r.track_id);
      PERFORM set_config('soundpost.restores', 'on', true);
      -- Columns that are younger than the case get their defaults.
      EXECUTE (SELECT format('INSERT INTO comments (%1$s) SELECT %1$s FROM jsonb_populate_record(NULL::comments, $1)',
          string_agg(quote_ident(a.attname), ', '))
        FROM pg_attribute a WHERE a.attrelid = 'comments'::regclass AND NOT a.attisdropped AND restored ? a.attname) USING restored;
      PERFORM set_config('soundpost.restores', '', true);
      -- A list that is polled has had it already.
      UPDATE activities SET transaction_id = (restored->>'transaction_id')::xid8
      WHERE comment_id = r.comment_id AND restored->>'transaction_id' IS NOT NULL;
    WHEN 'playlist' THEN
      UPDATE playlists SET taken_down_at = NULL, sharing = r.sharing, secret_hash = r.secret_hash, updated_at = now()
      WHERE id = r.playlist_id;
    WHEN 'picture' THEN
      PERFORM show_picture(of, coalesce(r.track_id, r.playlist_id, r.user_id), r.picture_version, r.picture_colors);
  END CASE;
  PERFORM note_act(p_by, r.kind || '.restore', r.kind, coalesce(r.comment_id, r.track_id, r.playlist_id, r.user_id), r.name,
    jsonb_build_object('user_id', r.user_id, 'removal', r.id));
  RETURN json_build_object('outcome', 'done');
END $$;
