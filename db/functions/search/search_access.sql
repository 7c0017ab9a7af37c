-- Returns a label query for blocked tracks or previews, as `track_access_rule` defines them for everyone but the owner. NULL if
-- playable tracks are included, because they are the majority.
CREATE OR REPLACE FUNCTION search_access(p_access jsonb, p_country text, p_paying boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_access IS NOT NULL AND NOT p_access ? 'playable' THEN (
    SELECT coalesce(string_agg(part, ' | '), ''':nothing''')::tsquery FROM (
      SELECT blocked AS part WHERE p_access ? 'blocked'
      UNION ALL
      SELECT format('(!(%s) & '':paywall=preview'')', blocked) WHERE p_access ? 'preview' AND NOT p_paying) parts) END
  FROM (SELECT concat_ws(' | ', ''':unstreamable''', CASE WHEN NOT p_paying THEN ''':paywall=blocked''' END,
    '('':countries''' || coalesce(' & !' || search_any_label('country', jsonb_build_array(p_country))::text, '') || ')') AS blocked) b
$$;
