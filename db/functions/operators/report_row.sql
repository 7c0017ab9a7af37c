-- Returns a report. `target` is the present name of what it is about, null once that is gone.
CREATE OR REPLACE FUNCTION report_row(p reports) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(r) FROM (
    SELECT p.id, id_created_at(p.id) AS created_at, p.state, p.reason, p.details, p.url, p.target_kind, p.target_id,
      CASE p.target_kind
        WHEN 'user' THEN (SELECT u.permalink FROM users u WHERE u.id = p.target_id)
        WHEN 'track' THEN (SELECT u.permalink || '/' || t.permalink FROM tracks t JOIN users u ON u.id = t.user_id
          WHERE t.id = p.target_id)
        WHEN 'playlist' THEN (SELECT u.permalink || '/sets/' || l.permalink FROM playlists l JOIN users u ON u.id = l.user_id
          WHERE l.id = p.target_id)
        WHEN 'comment' THEN (SELECT left(c.body, 100) FROM comments c WHERE c.id = p.target_id) END AS target,
      (SELECT count(*) FROM reports o WHERE o.target_kind = p.target_kind AND o.target_id = p.target_id AND o.id <> p.id
        AND o.state = 'open') AS others,
      p.reporter_id, (SELECT u.permalink FROM users u WHERE u.id = p.reporter_id) AS reporter, p.email, p.note, p.settled_at) r
$$;
