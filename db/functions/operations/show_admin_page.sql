-- Returns what a page for operators shows, in one statement with the check whether the session may see it.
CREATE OR REPLACE FUNCTION show_admin_page(p_session bigint, p_client text, p_user bigint, p_page text, p_given jsonb)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  id bigint := (p_given->>'id')::bigint;
  before bigint := (p_given->>'before')::bigint;
  rows integer := (p_given->>'limit')::integer;
BEGIN
  PERFORM require_operator(p_session, p_client, p_user);
  RETURN CASE p_page
    WHEN 'overview' THEN count_operations()::jsonb
    WHEN 'jobs' THEN list_jobs(p_given->>'state', before, rows)
    WHEN 'dead-letters' THEN list_dead_letters(before, rows)
    WHEN 'deliveries' THEN list_deliveries(p_given->>'state', before, rows)
    WHEN 'mails' THEN list_mails(p_given->>'state', before, rows)::jsonb
    WHEN 'quotas' THEN (
      SELECT jsonb_agg(jsonb_build_object('plan', n.plan, 'seconds', q.seconds, 'bytes', q.bytes, 'tracks', q.tracks) ORDER BY n.at)
      FROM unnest(ARRAY['free', 'artist', 'artist-pro']) WITH ORDINALITY n (plan, at) LEFT JOIN plan_quotas q ON q.plan = n.plan)
    WHEN 'reports' THEN list_reports(p_given->>'state', before, rows)
    WHEN 'users' THEN search_users(p_given->>'words', before, rows)
    WHEN 'user' THEN jsonb_build_object('user', find_moderated_user(id, NULL, NULL, NULL, NULL),
      'acts', list_acts('user', id, NULL, rows))
    WHEN 'track' THEN (
      SELECT jsonb_build_object('track', t.found, 'acts', list_acts('track', (t.found->>'id')::bigint, NULL, rows))
      FROM (SELECT find_moderated_track(id, p_given->>'owner', p_given->>'permalink')) t (found) WHERE t.found IS NOT NULL)
    WHEN 'tracks' THEN search_moderated_tracks(p_given->>'words', before, rows)
    WHEN 'apps' THEN search_apps(p_given->>'words', before, rows)
    WHEN 'acts' THEN list_acts(p_given->>'kind', NULL, before, rows)
  END;
END $$;
