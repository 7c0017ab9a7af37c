-- Copies all data except credentials and short-lived rows. Restoring credentials would make used and revoked ones valid
-- again.
CREATE OR REPLACE FUNCTION take_snapshot() RETURNS json LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '10s' SET client_min_messages = 'warning' AS $$
DECLARE
  data_table regclass;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox.marker) THEN
    RETURN json_build_object('outcome', 'no_sandbox');
  ELSIF NOT hold_data() THEN
    RETURN json_build_object('outcome', 'busy');
  ELSIF EXISTS (SELECT FROM tracks WHERE state = 'processing') THEN
    RETURN json_build_object('outcome', 'encoding');
  END IF;
  DROP SCHEMA IF EXISTS snapshot CASCADE;
  CREATE SCHEMA snapshot;
  FOR data_table IN
    SELECT t FROM data_tables() t WHERE t::text <> ALL ('{sessions,refresh_tokens,site_sessions,authorization_codes,
      client_credentials_grants,mail_tokens,mails,failures,idempotency_keys,connection_attempts,connection_posts,play_marks,
      webhooks,webhook_deliveries,event_streams,stream_events,operators,operator_entries}')
  LOOP
    EXECUTE format('CREATE TABLE snapshot.%1$s AS TABLE public.%1$s', data_table);
  END LOOP;
  -- Other uploads point at parts in storage, which will be deleted.
  DELETE FROM snapshot.uploads WHERE status <> 'used';
  INSERT INTO object_garbage (prefix, bucket, due_at) SELECT prefix, bucket, now() FROM kept_objects ON CONFLICT DO NOTHING;
  DELETE FROM kept_objects;
  INSERT INTO kept_objects SELECT * FROM referenced_objects();
  DELETE FROM object_garbage g USING kept_objects k WHERE g.prefix = k.prefix;
  UPDATE sandbox.marker SET taken_at = now();
  RETURN (SELECT json_build_object('outcome', 'taken', 'taken_at', taken_at, 'users', (SELECT count(*) FROM users),
    'tracks', (SELECT count(*) FROM tracks), 'objects', (SELECT count(*) FROM kept_objects)) FROM sandbox.marker);
END $$;
