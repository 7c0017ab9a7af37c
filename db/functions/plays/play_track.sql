-- Counts a play that a client reports. The caller must be allowed to stream the track.
CREATE OR REPLACE FUNCTION play_track(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_mark bytea,
  p_listener smallint, p_referrer text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t tracks;
  access text;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO t FROM tracks WHERE id = p_id FOR KEY SHARE;
  access := CASE WHEN FOUND THEN track_access(t, p_user, p_secret_hash, p_country) ELSE 'none' END;
  IF access = 'none' THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF t.sharing = 'private' AND p_user IS NULL THEN
    RETURN json_build_object('outcome', 'needs_user');
  ELSIF access = 'blocked' THEN
    RETURN json_build_object('outcome', 'blocked');
  ELSIF t.state <> 'finished' AND (access = 'preview' OR t.state <> 'processing' OR NOT EXISTS (
      SELECT FROM encoding_jobs j WHERE j.track_id = p_id AND j.state = 'leased' AND j.segments_ready > 0)) THEN
    RETURN json_build_object('outcome', 'not_ready', 'state', t.state);
  END IF;
  IF note_play(p_id, p_mark, p_user, now()) THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('track', p_id, 'playback_count', 1);
    INSERT INTO pending_plays (track_id, hour, country, app, referrer, listener)
    VALUES (p_id, date_trunc('hour', now(), 'UTC'), nullif(substring(p_country FROM '^[A-Z]{2}$'), 'XX'), p_client, p_referrer, p_listener);
  END IF;
  RETURN json_build_object('outcome', 'done');
END $$;
