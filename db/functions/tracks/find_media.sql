-- Finds the media of a URL, which carries the hash of the granting secret. The URL ends when a track or playlist
-- changes its secret, or the track leaves the playlist. `for_all` marks answers that hold for every listener.
CREATE OR REPLACE FUNCTION find_media(
  p_track bigint, p_viewer bigint, p_secret_prefix text, p_secret_hash bytea, p_country text
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('access', a.access, 'media_prefix', coalesce(t.media_prefix, g.growing->>'media_prefix'),
    'media', t.media, 'growing', g.growing,
    'for_all', t.sharing = 'public' AND t.streamable AND t.available_country_codes IS NULL AND t.paywall IS NULL)
  FROM tracks t, LATERAL (SELECT track_access(t, p_viewer, p_secret_hash, p_country) AS access OFFSET 0) a,
    LATERAL (SELECT CASE WHEN t.state = 'processing' THEN growing_media(t) END AS growing OFFSET 0) g
  WHERE t.id = p_track AND (t.state = 'finished' OR g.growing IS NOT NULL) AND a.access IN ('playable', 'preview')
    AND (t.sharing = 'public' OR p_secret_prefix <> '' AND starts_with(encode(t.secret_hash, 'hex'), p_secret_prefix))
$$;
