-- Returns a playlist to its owner, who wrote it, without totals, and its tracks. Those behind 4 MiB of descriptions do not fit and
-- have none. Returns no playlist if the owner has left meanwhile. `keep_idempotent_result` takes the first id, and keys stand by their
-- length.
CREATE OR REPLACE FUNCTION playlist_reply(p_user bigint, p_country text, p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT jsonb_build_object('playlist', playlist_body(p, p_user, '{}'), 'playlist_tracks', coalesce((
    SELECT jsonb_agg(track_row(e.t, p_user, e.access)::jsonb || jsonb_build_object('fits', e.fits)
      || CASE WHEN e.fits THEN '{}' ELSE '{"description": null}'::jsonb END ORDER BY e.position)
    FROM (
      SELECT e.position, e.t, e.access, sum(l.bytes) OVER (ORDER BY e.position) - l.bytes < 4 * 1024 * 1024 AS fits
      FROM playlist_entries(p, p_user, NULL, p_country) e,
        LATERAL (SELECT coalesce(octet_length((e.t).description), 0) AS bytes) l) e), '[]'))
  FROM playlists p WHERE p.id = p_id AND playlist_is_visible(p, p_user, NULL)), '{"playlist": null, "playlist_tracks": []}')
$$;
