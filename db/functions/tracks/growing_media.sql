-- Returns the media of a track that is being encoded, once its first segments are stored. Another attempt begins anew.
CREATE OR REPLACE FUNCTION growing_media(t tracks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('media_prefix', 't/' || t.id || '/' || j.lease_token || '/', 'sample_rate', j.sample_rate,
    'segments_ready', j.segments_ready)
  FROM encoding_jobs j
  WHERE j.track_id = t.id AND t.state = 'processing' AND j.state = 'leased' AND j.segments_ready > 0
$$;
