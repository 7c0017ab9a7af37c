-- Returns what a page for operators shows, in one statement with the check whether the session may see it.
CREATE OR REPLACE FUNCTION show_admin_page(p_session bigint, p_client text, p_user bigint, p_page text, p_given jsonb)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  before bigint := (p_given->>'before')::bigint;
  rows integer := (p_given->>'limit')::integer;
BEGIN
  PERFORM require_operator(p_session, p_client, p_user);
  RETURN CASE p_page
    WHEN 'overview' THEN count_operations()::jsonb
    WHEN 'jobs' THEN list_jobs(p_given->>'state', before, rows)
    WHEN 'dead-letters' THEN list_dead_letters(before, rows)
    WHEN 'deliveries' THEN list_deliveries(p_given->>'state', before, rows)
  END;
END $$;
