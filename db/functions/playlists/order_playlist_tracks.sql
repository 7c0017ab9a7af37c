-- Puts the named tracks of a playlist in the given order. Others, such as those that the owner cannot see at present,
-- keep their places. Nothing changes if the tracks stand neither in the order that `p_was` says nor in the wanted one, because
-- another window put them in its own.
CREATE OR REPLACE FUNCTION order_playlist_tracks(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_tracks bigint[], p_was bigint[], p_budget jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  present bigint[];
  wanted bigint[];
  spent jsonb;
  was timestamptz;
  changed timestamptz;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT updated_at INTO was FROM playlists WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_playlist(p_user, p_id);
  END IF;
  present := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  IF NOT EXISTS (SELECT FROM (VALUES (p_was), (p_tracks)) AS o(ids) WHERE
      ARRAY(SELECT s.id FROM unnest(o.ids) WITH ORDINALITY AS s(id, place) WHERE s.id = ANY (present) ORDER BY s.place)
      = ARRAY(SELECT h.id FROM unnest(present) WITH ORDINALITY AS h(id, place) WHERE h.id = ANY (o.ids) ORDER BY h.place)) THEN
    RETURN '{"outcome": "changed"}';
  END IF;
  spent := take_user_budget(p_budget, p_user, p_client);
  IF (spent->>'refused')::boolean THEN
    RETURN jsonb_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  -- Waits for deletions of tracks in the playlist, because putting a deleted one back would fail the whole order.
  PERFORM FROM tracks t WHERE t.id IN (SELECT e.track_id FROM playlist_tracks e WHERE e.playlist_id = p_id) ORDER BY t.id FOR KEY SHARE;
  present := ARRAY(SELECT track_id FROM playlist_tracks WHERE playlist_id = p_id ORDER BY position);
  WITH places AS (
    SELECT h.id, h.place, CASE WHEN h.id = ANY (p_tracks) THEN
      row_number() OVER (PARTITION BY h.id = ANY (p_tracks) ORDER BY h.place) END AS turn
    FROM unnest(present) WITH ORDINALITY AS h(id, place)
  ), named AS (
    SELECT id, row_number() OVER (ORDER BY array_position(p_tracks, id)) AS turn FROM places WHERE turn IS NOT NULL
  )
  SELECT array_agg(coalesce(n.id, p.id) ORDER BY p.place) INTO wanted FROM places p LEFT JOIN named n USING (turn);
  IF wanted <> present THEN
    DELETE FROM playlist_tracks WHERE playlist_id = p_id;
    PERFORM add_playlist_tracks(p_id, wanted);
    UPDATE playlists SET updated_at = now() WHERE id = p_id RETURNING updated_at INTO changed;
  END IF;
  RETURN jsonb_build_object('outcome', 'done', 'spent', spent, 'was', was, 'now', coalesce(changed, was));
END $$;
