-- Finds the waveform of a URL, for anyone who sees the track, playable or not. A private track's URL carries the start
-- of the secret's hash and ends with that secret.
CREATE OR REPLACE FUNCTION find_waveform(p_track bigint, p_secret_prefix text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('media_prefix', t.media_prefix, 'for_all', t.sharing = 'public')
  FROM tracks t
  WHERE t.id = p_track AND t.state = 'finished'
    AND track_access(t, NULL, CASE WHEN p_secret_prefix <> '' AND starts_with(encode(t.secret_hash, 'hex'), p_secret_prefix)
      THEN t.secret_hash END, NULL) <> 'none'
$$;
