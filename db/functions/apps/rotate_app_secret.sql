-- Replaces the secret. The previous one stays valid for `p_overlap` seconds; any older one ends at once.
CREATE OR REPLACE FUNCTION rotate_app_secret(p_owner bigint, p_id bigint, p_secret_hash text, p_overlap integer, p_by text)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  rotated apps;
BEGIN
  UPDATE apps a SET previous_secret_hash = secret_hash, secret_hash = p_secret_hash,
    previous_secret_expires_at = now() + make_interval(secs => p_overlap)
  WHERE id = p_id AND owner_id = p_owner AND may_manage_app(a, p_by) RETURNING * INTO rotated;
  IF FOUND THEN
    RETURN json_build_object('outcome', 'rotated', 'app', own_app_row(rotated));
  END IF;
  RETURN json_build_object('outcome', unmanaged_app(p_owner, p_id));
END $$;
