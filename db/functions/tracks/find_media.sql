-- Finds the media of a URL. The URL carries the hash of the secret that came for it, if any, never the secret, and opens what
-- that opens now. So it ends with a new secret of the track or the playlist, and when the track leaves the playlist.
-- `for_all` says that the answer is the same for every listener, wherever they are.
CREATE OR REPLACE FUNCTION find_media(
  p_track bigint, p_viewer bigint, p_secret_prefix text, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('access', a.access, 'media_prefix', t.media_prefix, 'media', t.media,
    'for_all', t.sharing = 'public' AND t.streamable AND t.available_country_codes IS NULL AND t.paywall IS NULL)
  FROM tracks t, LATERAL (SELECT track_access(t, p_viewer, p_secret_hash, p_country) AS access OFFSET 0) a
  WHERE t.id = p_track AND t.state = 'finished' AND a.access IN ('playable', 'preview')
    AND (t.sharing = 'public' OR p_secret_prefix <> '' AND starts_with(encode(t.secret_hash, 'hex'), p_secret_prefix))
$$;
