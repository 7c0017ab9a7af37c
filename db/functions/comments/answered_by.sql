-- Lists users whom a comment answers: earlier commenters at the same timestamp, or mentioned at its start. Reads at
-- most the last 1,000 comments and 100 people, which bounds the cost.
CREATE OR REPLACE FUNCTION answered_by(c comments) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  WITH earlier AS MATERIALIZED (
    SELECT o.id, o.user_id, o.timestamp_ms FROM comments o
    WHERE o.track_id = c.track_id AND o.id < c.id ORDER BY o.id DESC LIMIT 1000
  ), plain AS MATERIALIZED (
    SELECT replace(replace(replace(replace(lower(btrim(regexp_replace(c.body, '<[^>]*>', '', 'g')) COLLATE pg_c_utf8),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') AS text)
  SELECT e.user_id FROM (
    SELECT e.user_id, e.id FROM earlier e WHERE c.timestamp_ms IS NOT NULL AND e.timestamp_ms = c.timestamp_ms
    UNION ALL
    SELECT e.user_id, e.id FROM plain s, earlier e JOIN users u ON u.id = e.user_id
    WHERE (SELECT text LIKE '@%' FROM plain) AND (mentions(s.text, u.username) OR mentions(s.text, u.permalink))) e
  WHERE e.user_id <> c.user_id
  GROUP BY e.user_id ORDER BY max(e.id) DESC LIMIT 100
$$;
