-- Blanks part tags; double quotes hold a tag together, and so a machine tag's value.
CREATE OR REPLACE FUNCTION tags_of(p_tag_list text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tag FROM (
    SELECT btrim(replace(found[1], '"', '')) AS tag FROM regexp_matches(p_tag_list, '((?:[^\s"]|"[^"]*(?:"|$))+)', 'g') found) t
  WHERE tag <> ''
$$;
