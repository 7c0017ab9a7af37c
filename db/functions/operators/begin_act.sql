-- Checks the session of an operator who acts on a page, before the act touches a row. The command line has none.
CREATE OR REPLACE FUNCTION begin_act(p_by jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_by ? 'caller' THEN
    PERFORM require_operator((p_by #>> '{caller,session}')::bigint, p_by #>> '{caller,client}', (p_by #>> '{caller,user}')::bigint);
  END IF;
END $$;
