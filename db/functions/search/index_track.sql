CREATE OR REPLACE FUNCTION index_track(t tracks) RETURNS void LANGUAGE sql AS $$
  INSERT INTO track_documents AS d
  SELECT t.id, t.user_id, t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL, t.sharing, t.bpm, t.duration_ms,
    track_document(t, o.username)
  FROM users o WHERE o.id = t.user_id
  ON CONFLICT (id) DO UPDATE SET listed = excluded.listed, sharing = excluded.sharing, bpm = excluded.bpm,
    duration_ms = excluded.duration_ms, document = excluded.document
$$;
