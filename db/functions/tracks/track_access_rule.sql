-- Returns access by the visibility rule: none, blocked, preview or playable. Contains no query, so that lists can
-- inline it.
CREATE OR REPLACE FUNCTION track_access_rule(
  p_owner_left boolean, p_taken_down boolean, p_own boolean, p_closed boolean, p_streamable boolean, p_abroad boolean,
  p_paywall text, p_paying boolean
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_owner_left THEN 'none'
    -- Owners see it, but hear no more than others, because their media URLs would play for everybody.
    WHEN p_taken_down THEN CASE WHEN p_own THEN 'blocked' ELSE 'none' END
    WHEN p_own THEN 'playable'
    WHEN p_closed THEN 'none'
    WHEN NOT p_streamable OR p_abroad THEN 'blocked'
    WHEN p_paywall IS NOT NULL AND NOT p_paying THEN p_paywall
    ELSE 'playable'
  END
$$;
