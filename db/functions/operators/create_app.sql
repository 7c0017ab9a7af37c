-- Creates an app, unless its owner has a free plan: `id` is then null. Null if there is no such owner.
CREATE OR REPLACE FUNCTION create_app(
  p_owner_permalink text, p_owner_key text, p_client text, p_secret_hash text, p_name text, p_permalink text,
  p_external_url text, p_redirect_uris jsonb
) RETURNS json LANGUAGE sql AS $$
  WITH owner AS (
    SELECT id, plan FROM users WHERE id = named_user(p_owner_permalink, p_owner_key)
  ), made AS (
    INSERT INTO apps (client_id, secret_hash, owner_id, name, permalink, external_url, redirect_uris)
    SELECT p_client, p_secret_hash, id, p_name, p_permalink, p_external_url,
      ARRAY(SELECT jsonb_array_elements_text(p_redirect_uris))
    FROM owner WHERE plan <> 'free' RETURNING id)
  SELECT json_build_object('id', (SELECT id FROM made), 'plan', plan) FROM owner
$$;
