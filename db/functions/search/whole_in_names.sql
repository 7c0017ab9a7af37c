-- Returns the query for the same words, whole and of weight A. A single character of an unbroken script still begins a pair.
CREATE OR REPLACE FUNCTION whole_in_names(p_words tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(regexp_replace(p_words::text, $re$'((?:[^'\\]|''|\\.)*)'(?::\*)?$re$, $re$'\1':A$re$, 'g'),
    '''([' || search_unbroken() || '])'':A', '''\1'':*A', 'g')::tsquery
$$;
