-- Returns the fields of public tracks that are the same for all readers, an array per column. One object per track
-- would take longer than everything else.
CREATE OR REPLACE FUNCTION track_bodies(p_ids bigint[]) RETURNS json LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
BEGIN
  RETURN (
    SELECT json_build_object('id', array_agg(t.id), 'user_id', array_agg(t.user_id),
      'created_at', array_agg(id_created_at(t.id)), 'updated_at', array_agg(t.updated_at), 'title', array_agg(t.title),
      'permalink', array_agg(t.permalink), 'artist', array_agg(t.artist), 'description', array_agg(t.description),
      'genre', array_agg(t.genre), 'tag_list', array_agg(t.tag_list), 'track_type', array_agg(t.track_type),
      'license', array_agg(t.license), 'label_id', array_agg(t.label_id), 'label_name', array_agg(t.label_name),
      'release', array_agg(t.release), 'release_day', array_agg(t.release_day), 'release_month', array_agg(t.release_month),
      'release_year', array_agg(t.release_year), 'isrc', array_agg(t.isrc), 'bpm', array_agg(t.bpm),
      'key_signature', array_agg(t.key_signature), 'purchase_url', array_agg(t.purchase_url),
      'purchase_title', array_agg(t.purchase_title), 'video_url', array_agg(t.video_url),
      'artwork_version', array_agg(t.artwork_version), 'sharing', array_agg(t.sharing),
      'embeddable_by', array_agg(t.embeddable_by), 'streamable', array_agg(t.streamable),
      'downloadable', array_agg(t.downloadable), 'commentable', array_agg(t.commentable),
      'reveal_comments', array_agg(t.reveal_comments), 'reveal_stats', array_agg(t.reveal_stats),
      -- PostgreSQL requires nested arrays of equal length.
      'available_country_codes', json_agg(t.available_country_codes), 'state', array_agg(t.state),
      'original_format', array_agg(t.original_format), 'original_content_size', array_agg(t.original_content_size),
      'duration_ms', array_agg(t.duration_ms), 'media_prefix', array_agg(t.media_prefix),
      'loudness', array_agg(t.media->'loudness'),
      'owners', json_build_object('permalink', array_agg(o.permalink), 'username', array_agg(o.username),
        'avatar_version', array_agg(o.avatar_version), 'updated_at', array_agg(o.updated_at)),
      'label', array_agg(CASE WHEN l.id IS NOT NULL THEN mini_user_of(l) END),
      'created_with', array_agg(CASE WHEN a.id IS NOT NULL THEN
        json_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink, 'external_url', a.external_url) END))
    FROM tracks t
    JOIN users o ON o.id = t.user_id
    LEFT JOIN users l ON l.id = t.label_id AND l.disabled_at IS NULL
    LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party AND a.disabled_at IS NULL
    WHERE t.id = ANY (p_ids));
END $$;
