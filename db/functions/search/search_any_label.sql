-- Returns a query that matches any of a filter's values. NULL without the filter.
CREATE OR REPLACE FUNCTION search_any_label(p_kind text, p_values jsonb) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || replace(replace(search_label(p_kind, value), '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
  FROM jsonb_array_elements_text(p_values) value
$$;
