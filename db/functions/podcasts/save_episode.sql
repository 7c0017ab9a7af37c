-- Writes the fields of a track that only feeds show; what `p_episode` omits stays. False unless the track is the caller's own.
CREATE OR REPLACE FUNCTION save_episode(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text, p_episode jsonb
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO episodes AS e (track_id, explicit, season, number, transcript_url)
  SELECT t.id, f.explicit, f.season, f.number, f.transcript_url
  FROM tracks t, jsonb_to_record(p_episode) AS f (explicit boolean, season smallint, number integer, transcript_url text)
  WHERE t.id = linked_id('track', p_owner, p_permalink) AND t.user_id = p_user
  FOR KEY SHARE OF t
  ON CONFLICT (track_id) DO UPDATE SET
    explicit = CASE WHEN p_episode ? 'explicit' THEN excluded.explicit ELSE e.explicit END,
    season = CASE WHEN p_episode ? 'season' THEN excluded.season ELSE e.season END,
    number = CASE WHEN p_episode ? 'number' THEN excluded.number ELSE e.number END,
    transcript_url = CASE WHEN p_episode ? 'transcript_url' THEN excluded.transcript_url ELSE e.transcript_url END,
    updated_at = now();
  RETURN FOUND;
END $$;
