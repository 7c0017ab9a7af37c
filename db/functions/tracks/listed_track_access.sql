-- Returns the `track_access` of a listed track.
CREATE OR REPLACE FUNCTION listed_track_access(p_id bigint, p_user bigint, p_country text, p_paying boolean) RETURNS text
LANGUAGE sql STABLE COST 1 AS $$
  SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
    t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE, t.paywall, p_paying)
  FROM tracks t JOIN users o ON o.id = t.user_id WHERE t.id = p_id
$$;
