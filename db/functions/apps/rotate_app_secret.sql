-- Replaces an app's secret. The previous one stays valid for `p_overlap_s`, any older one ends. `delete_app` says who may do so.
CREATE OR REPLACE FUNCTION rotate_app_secret(
  p_owner bigint, p_by text, p_id bigint, p_secret_hash text, p_overlap_s integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  rotated apps;
BEGIN
  SELECT a.* INTO rotated FROM apps a
  WHERE a.id = p_id AND a.owner_id = p_owner AND (p_by IS NULL OR EXISTS (
    SELECT FROM apps m WHERE m.client_id = p_by AND (m.first_party OR m.id = a.id OR m.id = a.registered_by)))
  FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RETURN json_build_object('outcome', 'unknown');
  ELSIF rotated.secret_hash IS NULL THEN
    RETURN json_build_object('outcome', 'public');
  END IF;
  UPDATE apps a SET previous_secret_hash = secret_hash,
    previous_secret_expires_at = now() + make_interval(secs => p_overlap_s), secret_hash = p_secret_hash
  WHERE a.id = rotated.id RETURNING * INTO rotated;
  RETURN json_build_object('outcome', 'done', 'app', own_app_row(rotated));
END $$;
