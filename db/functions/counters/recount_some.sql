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
  WITH missing AS (
    SELECT c.id, c.counter, c.actual - c.stored - coalesce((SELECT sum(d.delta) FROM counter_deltas d
      WHERE d.subject_id = c.id AND d.kind = p_kind AND d.counter = c.counter), 0) AS delta
    FROM count_rows(p_kind, ids) c
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
