CREATE OR REPLACE FUNCTION resend_confirmation(p_session text, p_token text, p_ttl integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  who json := site_user(p_session);
  wait integer;
BEGIN
  IF who IS NULL THEN
    RETURN json_build_object('outcome', 'signed_out');
  ELSIF (who->>'confirmed')::boolean THEN
    RETURN json_build_object('outcome', 'confirmed');
  END IF;
  wait := make_mail_token((who->>'id')::bigint, 'confirm', who->>'email', p_token, p_ttl);
  IF wait > 0 THEN
    RETURN json_build_object('outcome', 'limited', 'retry_after', wait);
  END IF;
  RETURN json_build_object('outcome', 'sent', 'email', who->>'email');
END $$;
