-- Returns a playlist without its tracks. `p_told` holds the totals of the tracks that the reader sees.
CREATE OR REPLACE FUNCTION playlist_body(p playlists, p_user bigint, p_told jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT p_told || jsonb_build_object(
      'id', p.id, 'user_id', p.user_id, 'created_at', id_created_at(p.id), 'updated_at', p.updated_at, 'title', p.title,
      'permalink', p.permalink, 'description', p.description, 'genre', p.genre, 'tag_list', p.tag_list,
      'playlist_type', p.playlist_type, 'license', p.license, 'label_id', p.label_id, 'label_name', p.label_name,
      'label', CASE WHEN p.label_id IS NOT NULL THEN visible_mini_user(p.label_id) END, 'release', p.release,
      'release_day', p.release_day, 'release_month', p.release_month, 'release_year', p.release_year, 'ean', p.ean,
      'purchase_url', p.purchase_url, 'purchase_title', p.purchase_title, 'artwork_version', p.artwork_version,
      'sharing', p.sharing, 'embeddable_by', p.embeddable_by, 'favoritings_count', p.favoritings_count + coalesce(d.favoritings, 0),
      'reposts_count', p.reposts_count + coalesce(d.reposts, 0),
      'secret_sealed', CASE WHEN p.user_id = p_user THEN encode(p.secret_sealed, 'base64') END,
      'user', mini_user(p.user_id))
  FROM (SELECT sum(d.delta) FILTER (WHERE d.counter = 'favoritings_count') AS favoritings,
      sum(d.delta) FILTER (WHERE d.counter = 'reposts_count') AS reposts
    FROM counter_deltas d WHERE d.subject_id = p.id AND d.kind = 'playlist') d
$$;
