-- Erases some rows of users who left, because a million favorites exceed one statement. `more` asks for another call at
-- once. The statement that deletes rows lists their objects as garbage. A track or a user counts as a hundred rows, as in
-- `drop_dependents`: a thousand tracks with hardly a row each took six seconds, and a statement ends after five.
CREATE OR REPLACE FUNCTION erase_some(p_rows integer) RETURNS json LANGUAGE plpgsql AS $$
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
      -- Locks the job before the track, like reports of encodes.
      PERFORM FROM encoding_jobs WHERE track_id = doomed FOR UPDATE;
      PERFORM FROM tracks WHERE id = doomed FOR UPDATE;
      dropped := dropped + drop_dependents('tracks', doomed, p_rows - dropped);
      EXIT WHEN dropped >= p_rows;
      DELETE FROM tracks WHERE id = doomed RETURNING * INTO gone;
      INSERT INTO object_garbage (prefix, bucket, due_at)
      SELECT gone.original_key, 'uploads', now() UNION SELECT gone.media_prefix, 'media', now() WHERE gone.media_prefix IS NOT NULL
      ON CONFLICT (prefix) DO UPDATE SET due_at = now();
      tracks_erased := tracks_erased + 1;
      dropped := dropped + 100;
      EXIT WHEN dropped >= p_rows;
    END LOOP;
    EXIT WHEN dropped >= p_rows;
    CONTINUE WHEN EXISTS (
      SELECT FROM uploads WHERE user_id = leaver AND status IN ('open', 'completing', 'ready'));
    dropped := dropped + drop_dependents('users', leaver, p_rows - dropped);
    EXIT WHEN dropped >= p_rows;
    DELETE FROM users WHERE id = leaver;
    users_erased := users_erased + 1;
    dropped := dropped + 100;
    EXIT WHEN dropped >= p_rows;
  END LOOP;
  RETURN json_build_object('tracks', tracks_erased, 'users', users_erased, 'more', dropped >= p_rows);
END $$;
