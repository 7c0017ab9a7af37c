-- Returns the fields that only the owner sees.
CREATE OR REPLACE FUNCTION own_app_row(a apps) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT app_row(a)::jsonb || jsonb_build_object('client_id', a.client_id, 'redirect_uris', to_jsonb(a.redirect_uris),
    'previous_secret_expires_at', CASE WHEN a.previous_secret_expires_at > now() THEN a.previous_secret_expires_at END)
$$;
