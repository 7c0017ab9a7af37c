-- Returns an app as operators see one.
CREATE OR REPLACE FUNCTION moderated_app(a apps) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', a.id, 'client_id', a.client_id, 'name', a.name, 'created_at', id_created_at(a.id),
    'owner_id', a.owner_id, 'owner', (SELECT u.permalink FROM users u WHERE u.id = a.owner_id), 'disabled_at', a.disabled_at)
$$;
