-- Takes deleted favorites off the counters. `follow_favorite` counts new ones.
CREATE OR REPLACE FUNCTION count_favorites() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  favored bigint[] := ARRAY(SELECT DISTINCT track_id FROM changed);
BEGIN
  PERFORM FROM tracks t WHERE t.id = ANY (favored) ORDER BY t.id FOR KEY SHARE;
  -- Skips tracks being deleted, which `count_favorites_of_track` has counted.
  IF FOUND THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'track', t.id, 'favoritings_count', -c.favorites
    FROM (SELECT c.track_id, count(*) AS favorites FROM changed c JOIN users u ON u.id = c.user_id AND u.disabled_at IS NULL
      GROUP BY c.track_id) c JOIN tracks t ON t.id = c.track_id
    UNION ALL
    SELECT 'user', c.user_id, 'public_favorites_count', -count(*)
    FROM changed c JOIN tracks t ON t.id = c.track_id JOIN users o ON o.id = t.user_id
    WHERE t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL
    GROUP BY c.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER gone_favorites_are_counted AFTER DELETE ON favorites REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_favorites();
