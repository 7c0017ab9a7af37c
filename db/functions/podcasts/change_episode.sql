-- Changes fields that only feeds show of the caller's own track; what `p_changes` omits stays.
CREATE OR REPLACE FUNCTION change_episode(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_changes jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  stored episodes;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- The key's lock lets favorites and comments pass; it orders parallel changes.
  PERFORM FROM tracks WHERE id = p_id AND user_id = p_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN not_own_track(p_user, p_id);
  END IF;
  SELECT * INTO stored FROM episodes WHERE track_id = p_id;
  stored := jsonb_populate_record(stored, p_changes);
  INSERT INTO episodes (track_id, explicit, season, number, transcript_url)
  VALUES (p_id, stored.explicit, stored.season, stored.number, stored.transcript_url)
  ON CONFLICT (track_id) DO UPDATE SET explicit = excluded.explicit, season = excluded.season, number = excluded.number,
    transcript_url = excluded.transcript_url, updated_at = now();
  RETURN episode_reply(p_id);
END $$;
