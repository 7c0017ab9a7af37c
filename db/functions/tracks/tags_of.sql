-- Splits a tag list at blanks. Double quotes keep a tag, or a machine tag's value, together.
CREATE OR REPLACE FUNCTION tags_of(p_tag_list text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tag FROM (
    SELECT btrim(replace(found[1], '"', '')) AS tag FROM regexp_matches(p_tag_list, '((?:[^\s"]|"[^"]*(?:"|$))+)', 'g') found) t
  WHERE tag <> ''
$$;
