CREATE OR REPLACE FUNCTION referenced_objects() RETURNS TABLE (prefix text, bucket text) LANGUAGE sql STABLE AS $$
  SELECT DISTINCT s.prefix, CASE s.kind WHEN 'original' THEN 'uploads' ELSE 'media' END FROM shown_objects s
$$;
