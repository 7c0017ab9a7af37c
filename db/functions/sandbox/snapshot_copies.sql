-- Lists each table, its copy or null, and the columns common to both that are not generated.
CREATE OR REPLACE FUNCTION snapshot_copies() RETURNS TABLE (ours regclass, copy regclass, fields text, our_row text, copied_row text)
LANGUAGE sql STABLE AS $$
  SELECT t, c.copy, string_agg(quote_ident(attname), ', '), format('ROW(%s)::text', string_agg(format('t.%I', attname), ', ')),
    format('ROW(%s)::text', string_agg(format('c.%I', attname), ', '))
  FROM data_tables() WITH ORDINALITY d (t, place)
  JOIN LATERAL (SELECT to_regclass('snapshot.' || t::text)) c (copy) ON true
  JOIN pg_attribute a ON a.attrelid = t AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND (c.copy IS NULL OR EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = c.copy AND attname = a.attname AND NOT attisdropped))
  GROUP BY t, c.copy, place ORDER BY place
$$;
