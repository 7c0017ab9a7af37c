-- Indexes a track's words by weight (A title, username and artists; B other credits, genre and tags; D description), and labels.
CREATE OR REPLACE FUNCTION index_track(t tracks) RETURNS void LANGUAGE sql AS $$
  INSERT INTO track_documents AS d
  SELECT t.id, t.user_id, t.sharing = 'public' AND t.state <> 'failed' AND o.disabled_at IS NULL, t.sharing, t.bpm, t.duration_ms,
    search_vector('A', ARRAY[t.title, o.username, t.artist] || ARRAY(SELECT a->>'name'
      FROM jsonb_array_elements(t.artists) a WHERE a->>'role' IN ('main', 'featured', 'remixer')))
    || search_vector('B', ARRAY(SELECT a->>'name'
      FROM jsonb_array_elements(t.artists) a WHERE a->>'role' NOT IN ('main', 'featured', 'remixer')) || t.genre || ARRAY(SELECT tags_of(t.tag_list)))
    || search_vector('D', ARRAY[regexp_replace(t.description, '<[^>]*>|&[a-z0-9#]+;', ' ', 'gi')])
    || array_to_tsvector(array_remove(ARRAY[
      search_label('genre', t.genre), search_label('license', t.license), search_label('type', t.track_type),
      CASE WHEN NOT t.streamable OR t.taken_down_at IS NOT NULL THEN ':unstreamable' END,
      CASE WHEN t.downloadable THEN ':downloadable' END,
      CASE WHEN t.available_country_codes IS NOT NULL THEN ':countries' END,
      search_label('paywall', t.paywall)], NULL)
      || ARRAY(SELECT search_label('country', code) FROM unnest(t.available_country_codes) code)
      || ARRAY(SELECT search_label('tag', tag) FROM tags_of(t.tag_list) tag))
  FROM users o WHERE o.id = t.user_id
  ON CONFLICT (id) DO UPDATE SET listed = excluded.listed, sharing = excluded.sharing, bpm = excluded.bpm,
    duration_ms = excluded.duration_ms, document = excluded.document
$$;
