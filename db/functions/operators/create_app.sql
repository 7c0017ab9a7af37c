-- Creates an app, unless its owner has a free plan: `id` is then null. Null if there is no such owner.
CREATE OR REPLACE FUNCTION create_app(
  p_by jsonb, p_owner jsonb, p_client text, p_secret_hash text, p_name text, p_permalink text,
  p_external_url text, p_redirect_uris jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  owner users;
  made bigint;
BEGIN
  SELECT * INTO owner FROM users WHERE id = named_user(p_owner);
  IF NOT FOUND THEN
    RETURN NULL;
  ELSIF owner.plan <> 'free' THEN
    INSERT INTO apps (client_id, secret_hash, owner_id, name, permalink, external_url, redirect_uris, disabled_at)
    VALUES (p_client, p_secret_hash, owner.id, p_name, p_permalink, p_external_url,
      ARRAY(SELECT jsonb_array_elements_text(p_redirect_uris)), owner.disabled_at)
    RETURNING id INTO made;
    PERFORM note_act(p_by, 'app.create', 'app', made, p_client, jsonb_build_object('owner', owner.permalink));
  END IF;
  RETURN json_build_object('id', made, 'plan', owner.plan);
END $$;
