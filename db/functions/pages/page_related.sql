-- Returns the related tracks that the reader can hear, closest first.
CREATE OR REPLACE FUNCTION page_related(
  p_track bigint, p_secret_hash bytea, p_country text, p_session bigint, p_reader bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  shown CONSTANT integer := 6;
  related json := list_related_tracks(CASE WHEN p_reader IS NULL THEN -1 ELSE p_session END, 'site', p_reader, p_track,
    p_secret_hash, p_country, '{}', jsonb_build_object('limit', shown, 'offset', 0), '');
BEGIN
  RETURN (
    SELECT coalesce(json_agg(track_row(t, p_reader, a.access) ORDER BY r.place), '[]')
    FROM json_array_elements_text(CASE json_typeof(related #> '{tracks,ids}') WHEN 'array' THEN related #> '{tracks,ids}'
      ELSE '[]' END) WITH ORDINALITY AS r(id, place)
    JOIN tracks t ON t.id = r.id::bigint,
    LATERAL (SELECT track_access(t, p_reader, NULL, p_country) AS access OFFSET 0) a
    WHERE a.access IN ('playable', 'preview') AND t.state <> 'failed');
END $$;
