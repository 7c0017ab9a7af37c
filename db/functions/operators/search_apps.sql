-- Lists apps with owners, newest first, whose client id is `p_words` or whose name or owner contains them, below `p_before`.
CREATE OR REPLACE FUNCTION search_apps(p_words text, p_before bigint, p_limit integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(jsonb_agg(moderated_app(f.a) ORDER BY (f.a).id DESC), '[]') FROM (
      SELECT a FROM apps a JOIN users o ON o.id = a.owner_id
      WHERE a.id < coalesce(p_before, 9223372036854775807) AND (a.client_id = p_words
        OR position(lower(p_words) IN lower(a.name)) > 0 OR position(lower(p_words) IN lower(o.permalink)) > 0)
      ORDER BY a.id DESC LIMIT p_limit) f);
END $$;
