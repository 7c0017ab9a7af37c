-- Lists tracks in whatever state, newest first, whose title contains `p_words`, below `p_before`.
CREATE OR REPLACE FUNCTION search_moderated_tracks(p_words text, p_before bigint, p_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  part text := '%' || replace(replace(replace(lower(p_words), '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN (
    SELECT coalesce(jsonb_agg(moderated_track(f.t) ORDER BY (f.t).id DESC), '[]') FROM (
      SELECT t FROM tracks t
      WHERE t.id < coalesce(p_before, 9223372036854775807) AND lower(t.title) LIKE part ORDER BY t.id DESC LIMIT p_limit) f);
END $$;
