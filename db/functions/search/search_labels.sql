-- Returns a query for the genres, tags, licenses and types of a filter, and for downloadable tracks. NULL if it names none.
CREATE OR REPLACE FUNCTION search_labels(p_filter jsonb) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF NOT p_filter ?| ARRAY['genres', 'tags', 'licenses', 'types', 'downloadable'] THEN
    RETURN NULL;
  END IF;
  RETURN match_both(CASE WHEN p_filter ? 'downloadable' THEN ''':downloadable'''::tsquery END, match_both(
    match_both(search_any_label('genre', p_filter->'genres'), search_any_label('tag', p_filter->'tags')),
    match_both(search_any_label('license', p_filter->'licenses'), search_any_label('type', p_filter->'types'))));
END $$;
