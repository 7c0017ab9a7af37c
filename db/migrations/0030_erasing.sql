-- Whom `erase_some_v1` looks for, among all who are there.
CREATE INDEX users_disabled_idx ON users (id) WHERE disabled_at IS NOT NULL;

-- Drops rows that would go with the row `p_id` of `p_table`, and what would go with those before them: `p_limit` at most.
-- How many it dropped.
CREATE FUNCTION drop_dependents_v1(p_table regclass, p_id bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  dropped integer := 0;
  now_dropped integer;
  child record;
  dependent bigint;
BEGIN
  FOR child IN
    SELECT c.conrelid::regclass AS name, a.attname AS field, EXISTS (
      SELECT FROM pg_constraint d JOIN pg_attribute k ON k.attrelid = d.confrelid AND k.attnum = d.confkey[1]
      WHERE d.confrelid = c.conrelid AND d.contype = 'f' AND d.confdeltype = 'c' AND k.attname = 'id') AS has_dependents
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.confrelid = p_table AND c.contype = 'f' AND c.confdeltype = 'c' AND cardinality(c.conkey) = 1
  LOOP
    IF child.has_dependents THEN
      FOR dependent IN EXECUTE format('SELECT id FROM %s WHERE %I = $1', child.name, child.field) USING p_id LOOP
        dropped := dropped + drop_dependents_v1(child.name, dependent, p_limit - dropped);
        EXIT WHEN dropped >= p_limit;
      END LOOP;
    END IF;
    EXIT WHEN dropped >= p_limit;
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$I = $1 LIMIT $2))',
      child.name, child.field) USING p_id, p_limit - dropped;
    GET DIAGNOSTICS now_dropped = ROW_COUNT;
    dropped := dropped + now_dropped;
  END LOOP;
  RETURN dropped;
END $$;

-- Of what users who left have, and those who have nothing any more, some: a million likes are more than one statement can
-- drop. `more` tells whether to come again at once. Objects are listed as garbage by the statement that drops their rows.
CREATE FUNCTION erase_some_v1(p_rows integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  dropped integer := 0;
  tracks_erased integer := 0;
  users_erased integer := 0;
  leaver bigint;
  doomed bigint;
  gone tracks;
BEGIN
  FOR leaver IN
    SELECT u.id FROM users u
    WHERE u.disabled_at IS NOT NULL AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id)
    FOR UPDATE SKIP LOCKED
  LOOP
    FOR doomed IN SELECT id FROM tracks WHERE user_id = leaver LOOP
      -- The job before the track, as reports of encodes do.
      PERFORM FROM encoding_jobs WHERE track_id = doomed FOR UPDATE;
      PERFORM FROM tracks WHERE id = doomed FOR UPDATE;
      dropped := dropped + drop_dependents_v1('tracks', doomed, p_rows - dropped);
      EXIT WHEN dropped >= p_rows;
      DELETE FROM tracks WHERE id = doomed RETURNING * INTO gone;
      INSERT INTO object_garbage (prefix, bucket, due_at)
      SELECT gone.original_key, 'uploads', now() UNION SELECT gone.media_prefix, 'media', now() WHERE gone.media_prefix IS NOT NULL
      ON CONFLICT (prefix) DO UPDATE SET due_at = now();
      tracks_erased := tracks_erased + 1;
      dropped := dropped + 1;
      EXIT WHEN dropped >= p_rows;
    END LOOP;
    EXIT WHEN dropped >= p_rows;
    CONTINUE WHEN EXISTS (
      SELECT FROM uploads WHERE user_id = leaver AND status IN ('open', 'completing', 'ready'));
    dropped := dropped + drop_dependents_v1('users', leaver, p_rows - dropped);
    EXIT WHEN dropped >= p_rows;
    DELETE FROM users WHERE id = leaver;
    users_erased := users_erased + 1;
    dropped := dropped + 1;
    EXIT WHEN dropped >= p_rows;
  END LOOP;
  RETURN json_build_object('tracks', tracks_erased, 'users', users_erased, 'more', dropped >= p_rows);
END $$;
