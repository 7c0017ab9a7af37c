-- Queues mails about a case to its owner and to those who reported what it is about, each address once. Mails to reporters name
-- only the address that they reported. An owner whose address is not confirmed has the page alone.
CREATE OR REPLACE FUNCTION tell_of_removal(p_removal bigint, p_event text, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r removals;
  facts jsonb;
BEGIN
  SELECT * INTO r FROM removals WHERE id = p_removal;
  facts := jsonb_build_object('event', p_event, 'kind', r.kind, 'reason', p_reason);
  PERFORM queue_mail(r.user_id, 'removal', a.email, NULL, NULL, facts || jsonb_build_object('removal', r.id, 'name', r.name))
  FROM accounts a WHERE a.user_id = r.user_id AND a.confirmed_at IS NOT NULL;
  PERFORM queue_mail(q.reporter_id, 'removal', q.email, NULL, NULL, facts || jsonb_build_object('url', q.url))
  FROM (
    SELECT DISTINCT ON (lower(o.email)) o.email, o.url, o.reporter_id FROM reports o
    WHERE o.email IS NOT NULL AND o.state <> 'dismissed' AND o.reporter_id IS DISTINCT FROM r.user_id AND CASE r.kind
      WHEN 'track' THEN o.target_kind = 'track' AND o.target_id = r.track_id
      WHEN 'playlist' THEN o.target_kind = 'playlist' AND o.target_id = r.playlist_id
      WHEN 'comment' THEN o.target_kind = 'comment' AND o.target_id = r.comment_id
      ELSE o.target_kind = 'page' AND strpos(o.url, r.picture_version) > 0 END
    ORDER BY lower(o.email), o.id DESC LIMIT 50) q;
END $$;
