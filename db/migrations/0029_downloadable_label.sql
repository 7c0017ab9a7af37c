-- Texts of tracks tell whether they are downloadable, from now on. The next migration adds that to those that stand.
DO $migration$
BEGIN
  -- A new database has no functions yet, and nothing to index.
  IF to_regproc('track_document') IS NOT NULL THEN
    CREATE OR REPLACE FUNCTION track_document(t tracks, p_username text) RETURNS tsvector LANGUAGE sql STABLE AS $$
      SELECT search_vector('A', ARRAY[t.title, p_username, t.artist])
        || search_vector('B', t.genre || ARRAY(SELECT tags_of(t.tag_list)))
        || search_vector('D', ARRAY[regexp_replace(t.description, '<[^>]*>|&[a-z0-9#]+;', ' ', 'gi')])
        || array_to_tsvector(array_remove(ARRAY[
          search_label('genre', t.genre), search_label('license', t.license), search_label('type', t.track_type),
          CASE WHEN NOT t.streamable THEN ':unstreamable' END,
          CASE WHEN t.downloadable THEN ':downloadable' END,
          CASE WHEN t.available_country_codes IS NOT NULL THEN ':countries' END,
          search_label('paywall', t.paywall)], NULL)
          || ARRAY(SELECT search_label('country', code) FROM unnest(t.available_country_codes) code)
          || ARRAY(SELECT search_label('tag', tag) FROM tags_of(t.tag_list) tag))
    $$;
    CREATE OR REPLACE TRIGGER tracks_are_indexed AFTER INSERT OR DELETE OR UPDATE OF
      title, artist, description, genre, tag_list, track_type, license, sharing, state, streamable, downloadable, paywall,
      available_country_codes, bpm, duration_ms
    ON tracks FOR EACH ROW EXECUTE FUNCTION index_changed_track();
  END IF;
END $migration$;
