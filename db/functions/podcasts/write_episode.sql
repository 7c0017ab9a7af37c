-- Writes the fields of a track that only feeds show; what `p_changes` omits stays. The caller has locked the track, which orders
-- parallel changes.
CREATE OR REPLACE FUNCTION write_episode(p_track bigint, p_changes jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted episodes;
BEGIN
  SELECT * INTO wanted FROM episodes WHERE track_id = p_track;
  wanted := jsonb_populate_record(wanted, p_changes);
  INSERT INTO episodes (track_id, explicit, season, number, transcript_url)
  VALUES (p_track, wanted.explicit, wanted.season, wanted.number, wanted.transcript_url)
  ON CONFLICT (track_id) DO UPDATE SET explicit = excluded.explicit, season = excluded.season, number = excluded.number,
    transcript_url = excluded.transcript_url, updated_at = now();
END $$;
