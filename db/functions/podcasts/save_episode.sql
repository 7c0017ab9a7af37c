-- Writes the fields of a track that only feeds show. False unless the track is the caller's own.
CREATE OR REPLACE FUNCTION save_episode(
  p_session bigint, p_client text, p_user bigint, p_owner text, p_permalink text, p_episode jsonb
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  INSERT INTO episodes (track_id, explicit, season, number, transcript_url)
  SELECT t.id, f.explicit, f.season, f.number, f.transcript_url
  FROM tracks t, jsonb_to_record(p_episode) AS f (explicit boolean, season smallint, number integer, transcript_url text)
  WHERE t.id = linked_id('track', p_owner, p_permalink) AND t.user_id = p_user
  FOR KEY SHARE OF t
  ON CONFLICT (track_id) DO UPDATE SET explicit = excluded.explicit, season = excluded.season, number = excluded.number,
    transcript_url = excluded.transcript_url, updated_at = now();
  RETURN FOUND;
END $$;
