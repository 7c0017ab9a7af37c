-- Deletes several tracks and says for each what came of it. A refused track hinders no other.
CREATE OR REPLACE FUNCTION delete_tracks(p_session bigint, p_client text, p_user bigint, p_ids bigint[]) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  outcomes jsonb := '[]';
  stored record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- Locks all of them first, in the order of a single deletion. A roll-up of counters that held a later one would wait for the
  -- owner's sums, which the deletion of an earlier one holds.
  PERFORM FROM encoding_jobs j JOIN tracks t ON t.id = j.track_id
  WHERE t.id = ANY (p_ids) AND t.user_id = p_user ORDER BY j.track_id FOR UPDATE OF j;
  PERFORM FROM tracks t WHERE t.id = ANY (p_ids) AND t.user_id = p_user ORDER BY t.id FOR UPDATE;
  FOR stored IN
    SELECT n.id, t.title FROM unnest(p_ids) AS n(id) LEFT JOIN tracks t ON t.id = n.id AND t.user_id = p_user ORDER BY n.id
  LOOP
    outcomes := outcomes || jsonb_build_object('id', stored.id, 'title', stored.title,
      'outcome', delete_track(p_session, p_client, p_user, stored.id, NULL)->>'outcome');
  END LOOP;
  RETURN jsonb_build_object('outcome', 'done', 'tracks', outcomes);
END $$;
