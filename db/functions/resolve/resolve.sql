-- Returns the resource of a link, by `p_id` or permalinks, as its own request would. Returns nothing without a kind.
CREATE OR REPLACE FUNCTION resolve(
  p_session bigint, p_client text, p_user bigint, p_kind text, p_id bigint, p_owner text, p_permalink text,
  p_secret_hash bytea, p_country text, p_show text, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  meant bigint := coalesce(p_id, linked_id(p_kind, p_owner, p_permalink));
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  RETURN CASE p_kind
    WHEN 'app' THEN json_build_object('app', (
      SELECT to_json(r) FROM (
        SELECT a.id, a.name, a.permalink, a.external_url, u.username AS creator, u.permalink AS creator_permalink
        FROM apps a JOIN users u ON u.id = a.owner_id
        WHERE a.id = meant AND a.disabled_at IS NULL AND NOT a.first_party) r))
    WHEN 'user' THEN json_build_object('user', user_rows(p_user, ARRAY[meant])->0)
    WHEN 'track' THEN find_track(p_session, p_client, p_user, meant, p_secret_hash, p_country)
    WHEN 'playlist' THEN
      find_playlist(p_session, p_client, p_user, meant, p_secret_hash, p_country, p_show, p_held)::json
    ELSE '{}'::json
  END;
END $$;
