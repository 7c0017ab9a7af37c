-- Registers an app, a public one without `p_secret_hash`. Names may repeat but permalinks may not, so a duplicate gets `p_suffix`. Without `p_by` the caller is a page
-- of the site, whose registrations count together. The lock waits for a deletion of the calling app, which the new app outlives.
CREATE OR REPLACE FUNCTION register_app(
  p_owner bigint, p_client text, p_secret_hash text, p_name text, p_permalink text, p_suffix text, p_external_url text,
  p_redirect_uris jsonb, p_by text, p_needs_plan boolean, p_budget jsonb
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  wanted text;
  made apps;
  spent jsonb;
BEGIN
  IF p_needs_plan AND (SELECT u.plan FROM users u WHERE u.id = p_owner) = 'free' THEN
    RETURN json_build_object('outcome', 'free_plan');
  END IF;
  spent := take_user_budget(p_budget, p_owner, coalesce(p_by, 'site'));
  IF (spent->>'refused')::boolean THEN
    RETURN json_build_object('outcome', 'over_budget', 'spent', spent);
  END IF;
  FOREACH wanted IN ARRAY ARRAY[p_permalink, p_permalink || '-' || p_suffix] LOOP
    INSERT INTO apps (client_id, secret_hash, owner_id, name, permalink, external_url, redirect_uris, registered_by)
    VALUES (p_client, p_secret_hash, p_owner, p_name, wanted, p_external_url,
      ARRAY(SELECT jsonb_array_elements_text(p_redirect_uris)), (SELECT b.id FROM apps b WHERE b.client_id = p_by FOR KEY SHARE))
    ON CONFLICT (permalink) DO NOTHING RETURNING * INTO made;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN json_build_object('outcome', 'registered', 'spent', spent, 'app', own_app_row(made));
END $$;
