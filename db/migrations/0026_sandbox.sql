-- A database is a sandbox once its owner says so: `INSERT INTO sandbox.marker DEFAULT VALUES`. The service may not look into
-- this schema, nor into `snapshot`, which holds a copy of each table: it can only call the two functions at the end.
CREATE SCHEMA sandbox;
CREATE TABLE sandbox.marker (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  taken_at timestamptz,
  restored_at timestamptz
);

-- What the snapshot's rows refer to in storage: never garbage, even while nothing else refers to it.
CREATE TABLE kept_objects (
  prefix text PRIMARY KEY,
  bucket text NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION referenced_objects_v1() RETURNS TABLE (prefix text, bucket text) LANGUAGE sql STABLE AS $$
  SELECT original_key, 'uploads' FROM tracks
  UNION SELECT media_prefix, 'media' FROM tracks WHERE media_prefix IS NOT NULL
  UNION SELECT 'images/' || version || '/', 'media' FROM (
    SELECT artwork_version FROM tracks UNION ALL SELECT artwork_version FROM playlists UNION ALL SELECT avatar_version FROM users
  ) AS shown (version) WHERE version IS NOT NULL
$$;
--> statement-breakpoint
-- Every table that holds data, parents before those who refer to them. What says how the database itself is built is none.
CREATE FUNCTION data_tables_v1() RETURNS SETOF regclass LANGUAGE plpgsql STABLE AS $$
DECLARE
  waiting oid[] := array(
    SELECT oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('schema_migrations', 'track_search_ranges', 'object_garbage', 'kept_objects')
    ORDER BY relname);
  free oid[];
BEGIN
  WHILE waiting <> '{}' LOOP
    free := array(
      SELECT t FROM unnest(waiting) t WHERE NOT EXISTS (
        SELECT FROM pg_constraint
        WHERE contype = 'f' AND conrelid = t AND confrelid <> t AND confrelid = ANY (waiting)));
    IF free = '{}' THEN
      RAISE 'tables refer to each other in a circle: %', waiting::regclass[];
    END IF;
    RETURN QUERY SELECT t::regclass FROM unnest(free) t;
    waiting := array(SELECT t FROM unnest(waiting) t WHERE t <> ALL (free));
  END LOOP;
END $$;
--> statement-breakpoint
-- Until the transaction ends nobody writes; reading goes on. False where somebody else is at it.
CREATE FUNCTION hold_data_v1() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('sandbox')) THEN
    RETURN false;
  END IF;
  EXECUTE (SELECT format('LOCK TABLE object_garbage, %s IN SHARE ROW EXCLUSIVE MODE', string_agg(t::text, ', '))
    FROM data_tables_v1() t);
  RETURN true;
END $$;
--> statement-breakpoint
-- Triggers would count, index and post a second time what the snapshot has counted, indexed and posted.
CREATE FUNCTION switch_triggers_v1(p_state text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held regclass;
BEGIN
  FOR held IN
    SELECT t FROM data_tables_v1() t WHERE EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t AND NOT tgisinternal)
  LOOP
    EXECUTE format('ALTER TABLE %s %s TRIGGER USER', held, p_state);
  END LOOP;
END $$;
--> statement-breakpoint
-- Credentials are not of a snapshot, or what was used up or revoked would be valid again; nor is what only lives for hours.
CREATE FUNCTION take_snapshot_v1() RETURNS json LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '10s' SET client_min_messages = 'warning' AS $$
DECLARE
  held regclass;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox.marker) THEN
    RETURN json_build_object('outcome', 'no_sandbox');
  ELSIF NOT hold_data_v1() THEN
    RETURN json_build_object('outcome', 'busy');
  ELSIF EXISTS (SELECT FROM tracks WHERE state = 'processing') THEN
    RETURN json_build_object('outcome', 'encoding');
  END IF;
  DROP SCHEMA IF EXISTS snapshot CASCADE;
  CREATE SCHEMA snapshot;
  FOR held IN
    SELECT t FROM data_tables_v1() t WHERE t::text <> ALL ('{sessions,refresh_tokens,site_sessions,authorization_codes,
      client_credentials_grants,mail_tokens,failures,idempotency_keys,connection_attempts,connection_posts,play_marks}')
  LOOP
    EXECUTE format('CREATE TABLE snapshot.%1$s AS TABLE public.%1$s', held);
  END LOOP;
  -- The others point at parts in storage, which go.
  DELETE FROM snapshot.uploads WHERE status <> 'used';
  INSERT INTO object_garbage (prefix, bucket, due_at) SELECT prefix, bucket, now() FROM kept_objects ON CONFLICT DO NOTHING;
  DELETE FROM kept_objects;
  INSERT INTO kept_objects SELECT * FROM referenced_objects_v1();
  DELETE FROM object_garbage g USING kept_objects k WHERE g.prefix = k.prefix;
  UPDATE sandbox.marker SET taken_at = now();
  RETURN (SELECT json_build_object('outcome', 'taken', 'taken_at', taken_at, 'users', (SELECT count(*) FROM users),
    'tracks', (SELECT count(*) FROM tracks), 'objects', (SELECT count(*) FROM kept_objects)) FROM sandbox.marker);
END $$;
--> statement-breakpoint
-- Each table with its copy, null where there is none, and the columns that both have and that are not worked out.
CREATE FUNCTION snapshot_copies_v1() RETURNS TABLE (ours regclass, copy regclass, fields text, our_row text, copied_row text)
LANGUAGE sql STABLE AS $$
  SELECT t, c.copy, string_agg(quote_ident(attname), ', '), format('ROW(%s)::text', string_agg(format('t.%I', attname), ', ')),
    format('ROW(%s)::text', string_agg(format('c.%I', attname), ', '))
  FROM data_tables_v1() WITH ORDINALITY d (t, place)
  JOIN LATERAL (SELECT to_regclass('snapshot.' || t::text)) c (copy) ON true
  JOIN pg_attribute a ON a.attrelid = t AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND (c.copy IS NULL OR EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = c.copy AND attname = a.attname AND NOT attisdropped))
  GROUP BY t, c.copy, place ORDER BY place
$$;
--> statement-breakpoint
-- Whole or not at all; again, it finds nothing to do. Only rows that differ are touched. What has no copy is emptied.
CREATE FUNCTION restore_snapshot_v1() RETURNS json LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  held record;
  touched bigint;
  pass bigint;
  deleted bigint := 0;
  inserted bigint := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox.marker) THEN
    RETURN json_build_object('outcome', 'no_sandbox');
  ELSIF NOT EXISTS (SELECT FROM sandbox.marker WHERE taken_at IS NOT NULL) THEN
    RETURN json_build_object('outcome', 'no_snapshot');
  ELSIF NOT hold_data_v1() THEN
    RETURN json_build_object('outcome', 'busy');
  END IF;
  INSERT INTO object_garbage (prefix, bucket, due_at)
  SELECT prefix, bucket, now() FROM referenced_objects_v1() ON CONFLICT DO NOTHING;
  DELETE FROM object_garbage g USING kept_objects k WHERE g.prefix = k.prefix;

  PERFORM switch_triggers_v1('DISABLE');
  -- Until nothing differs: what refers to a deleted row goes with it, or forgets it and then differs itself.
  LOOP
    pass := 0;
    FOR held IN SELECT * FROM snapshot_copies_v1() LOOP
      EXECUTE CASE WHEN held.copy IS NULL THEN format('DELETE FROM %s', held.ours) ELSE
        format('DELETE FROM %s t WHERE NOT EXISTS (SELECT FROM %s c WHERE %s = %s)',
          held.ours, held.copy, held.copied_row, held.our_row) END;
      GET DIAGNOSTICS touched = ROW_COUNT;
      pass := pass + touched;
    END LOOP;
    EXIT WHEN pass = 0;
    deleted := deleted + pass;
  END LOOP;
  FOR held IN SELECT * FROM snapshot_copies_v1() WHERE copy IS NOT NULL LOOP
    EXECUTE format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %3$s c
      WHERE NOT EXISTS (SELECT FROM %1$s t WHERE %4$s = %5$s)',
      held.ours, held.fields, held.copy, held.our_row, held.copied_row);
    GET DIAGNOSTICS touched = ROW_COUNT;
    inserted := inserted + touched;
  END LOOP;
  PERFORM switch_triggers_v1('ENABLE');
  UPDATE sandbox.marker SET restored_at = now();
  RETURN (SELECT json_build_object('outcome', 'restored', 'taken_at', taken_at, 'restored_at', restored_at,
    'rows_deleted', deleted, 'rows_inserted', inserted) FROM sandbox.marker);
END $$;
--> statement-breakpoint
-- Else each user who goes would have every track and playlist read.
CREATE INDEX tracks_label_id_idx ON tracks (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX playlists_label_id_idx ON playlists (label_id) WHERE label_id IS NOT NULL;
