-- Of a function in SQL a session weighs one plan for all calls against planning each; what this call's arguments rule out makes
-- planning look the cheaper, and it is done at every like, every time. In PL/pgSQL each arm keeps its own plan.

CREATE OR REPLACE FUNCTION session_is_live_v1(p_session bigint, p_client text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_session = 0 THEN
    RETURN p_user IS NULL AND EXISTS (SELECT FROM apps a WHERE a.client_id = p_client AND a.disabled_at IS NULL);
  END IF;
  RETURN EXISTS (
    SELECT FROM sessions s JOIN apps a ON a.id = s.app_id
    WHERE s.id = p_session AND a.client_id = p_client AND s.user_id IS NOT DISTINCT FROM p_user
      AND s.revoked_at IS NULL AND s.expires_at > now() AND a.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = s.user_id AND u.disabled_at IS NOT NULL));
END $$;

CREATE OR REPLACE FUNCTION track_access_v1(t tracks, p_viewer bigint, p_secret_hash bytea, p_country text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  closed boolean := t.sharing = 'private' AND t.secret_hash IS DISTINCT FROM p_secret_hash;
  paying boolean := false;
BEGIN
  IF closed THEN
    closed := NOT EXISTS (SELECT FROM track_shares s WHERE s.track_id = t.id AND s.user_id = p_viewer)
      -- The secret of a playlist opens what is its owner's own in it.
      AND NOT EXISTS (SELECT FROM playlists p JOIN playlist_tracks e ON e.playlist_id = p.id
        WHERE p.secret_hash = p_secret_hash AND p.user_id = t.user_id AND e.track_id = t.id);
  END IF;
  IF t.paywall IS NOT NULL THEN
    paying := EXISTS (SELECT FROM users u WHERE u.id = p_viewer AND u.plan <> 'free');
  END IF;
  RETURN track_access_rule_v1(
    EXISTS (SELECT FROM users o WHERE o.id = t.user_id AND o.disabled_at IS NOT NULL),
    t.user_id = p_viewer, closed, t.streamable,
    t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
    t.paywall, paying);
END $$;

CREATE OR REPLACE FUNCTION mark_track_v1(
  p_session bigint, p_client text, p_user bigint, p_marks text, p_id bigint, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  IF t.id IS NULL OR track_access_v1(t, p_user, p_secret_hash, p_country) = 'none' THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  CASE p_marks
    WHEN 'favorites' THEN INSERT INTO favorites (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
    WHEN 'reposts' THEN INSERT INTO reposts (user_id, track_id) VALUES (p_user, p_id) ON CONFLICT DO NOTHING;
  END CASE;
  RETURN json_build_object('auth_ok', true, 'found', true);
END $$;

-- Likes come one by one and go together: what counts the second reads the statement's rows as a table, for one as for
-- thousands. The foreign key holds the track already.
CREATE FUNCTION count_favorite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas (kind, subject_id, counter, delta)
  SELECT 'track', new.track_id, 'favoritings_count', 1
  UNION ALL
  SELECT 'user', new.user_id, 'public_favorites_count', 1 FROM tracks t JOIN users o ON o.id = t.user_id
  WHERE t.id = new.track_id AND t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL;
  RETURN NULL;
END $$;
DROP TRIGGER new_favorites_are_counted ON favorites;
CREATE TRIGGER new_favorites_are_counted AFTER INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION count_favorite();

-- As `note_presence_v1`, of many sessions at once: each statement alone would be written to the disk alone. Of how many it is news.
CREATE FUNCTION note_presence_v2(p_sessions bigint[]) RETURNS integer LANGUAGE sql AS $$
  WITH due AS MATERIALIZED (
    SELECT s.id FROM sessions s
    WHERE s.id = ANY (p_sessions) AND s.revoked_at IS NULL AND (s.last_used_at < now() - interval '1 minute') IS NOT FALSE
    FOR NO KEY UPDATE SKIP LOCKED
  ), noted AS (
    UPDATE sessions s SET last_used_at = now() FROM due WHERE s.id = due.id RETURNING s.id)
  SELECT count(*)::integer FROM noted
$$;
