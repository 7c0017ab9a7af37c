-- Returns a playlist without totals, and its tracks, to the owner who wrote it. Tracks after 4 MiB of descriptions come without
-- description. Returns no playlist if the owner has left meanwhile. `keep_idempotent_result` takes the first id, and jsonb
-- orders keys by length.
CREATE OR REPLACE FUNCTION playlist_reply(p_user bigint, p_country text, p_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT jsonb_build_object('playlist', jsonb_build_object(
      'id', p.id, 'user_id', p.user_id, 'created_at', id_created_at(p.id), 'updated_at', p.updated_at, 'title', p.title,
      'permalink', p.permalink, 'description', p.description, 'genre', p.genre, 'tag_list', p.tag_list,
      'playlist_type', p.playlist_type, 'license', p.license, 'label_id', p.label_id, 'label_name', p.label_name,
      'label', (SELECT mini_user(l.id) FROM users l WHERE l.id = p.label_id AND l.disabled_at IS NULL), 'release', p.release,
      'release_day', p.release_day, 'release_month', p.release_month, 'release_year', p.release_year, 'ean', p.ean,
      'purchase_url', p.purchase_url, 'purchase_title', p.purchase_title, 'artwork_version', p.artwork_version, 'artwork_colors', p.artwork_colors,
      'sharing', p.sharing, 'taken_down_at', p.taken_down_at, 'publish_at', CASE WHEN p.user_id = p_user THEN p.publish_at END,
      'published_at', CASE WHEN p.sharing = 'public' OR p.was_public THEN id_created_at(p.published_id) END, 'embeddable_by', p.embeddable_by, 'favoritings_count', p.favoritings_count + coalesce(d.favoritings, 0),
      'reposts_count', p.reposts_count + coalesce(d.reposts, 0),
      'secret_sealed', CASE WHEN p.user_id = p_user THEN encode(p.secret_sealed, 'base64') END,
      'is_podcast', EXISTS (SELECT FROM podcasts s WHERE s.playlist_id = p.id),
      'user', mini_user(p.user_id)), 'playlist_tracks', coalesce((
    SELECT jsonb_agg(track_row(e.t, p_user, e.access)::jsonb || jsonb_build_object('fits', e.fits)
      || CASE WHEN e.fits THEN '{}' ELSE '{"description": null}'::jsonb END ORDER BY e.position)
    FROM (
      SELECT e.position, e.t, e.access, sum(l.bytes) OVER (ORDER BY e.position) - l.bytes < 4 * 1024 * 1024 AS fits
      FROM playlist_entries(p, p_user, NULL, p_country) e,
        LATERAL (SELECT coalesce(octet_length((e.t).description), 0) AS bytes) l) e), '[]'))
  FROM playlists p, LATERAL (SELECT sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count') AS favoritings,
      sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
    FROM counter_deltas d WHERE d.subject_id = p.id AND d.kind = 'playlist') d
  WHERE p.id = p_id AND playlist_is_visible(p, p_user, NULL)), '{"playlist": null, "playlist_tracks": []}')
$$;
