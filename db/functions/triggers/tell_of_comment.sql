-- Creates the activities of a comment for everyone but its author. A comment answers the thread's first author, earlier
-- commenters in the thread and at the same timestamp, and users named after `@` at its start. Besides the first author, it reads
-- at most the last 1,000 comments of the thread and of the track, and tells 100 people, which bounds the cost.
CREATE OR REPLACE FUNCTION tell_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, comment_id, answers)
  WITH earlier AS MATERIALIZED (
    SELECT o.id, o.user_id, o.timestamp_ms FROM comments o
    WHERE o.track_id = new.track_id AND o.id < new.id ORDER BY o.id DESC LIMIT 1000
  ), plain AS MATERIALIZED (
    SELECT replace(replace(replace(replace(lower(btrim(regexp_replace(new.body, '<[^>]*>', '', 'g')) COLLATE pg_c_utf8),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') AS text
  ), answered AS (
    SELECT e.user_id FROM (
      SELECT e.user_id, e.id FROM earlier e WHERE new.timestamp_ms IS NOT NULL AND e.timestamp_ms = new.timestamp_ms
      UNION ALL
      (SELECT o.user_id, o.id FROM comments o
      WHERE o.track_id = new.track_id AND coalesce(o.parent_id, o.id) = new.parent_id AND o.id < new.id
      ORDER BY o.id DESC LIMIT 1000)
      UNION ALL
      SELECT e.user_id, e.id FROM plain s, earlier e JOIN users u ON u.id = e.user_id
      WHERE (SELECT text LIKE '@%' FROM plain) AND EXISTS (
        SELECT FROM unnest(ARRAY[lower(u.username COLLATE pg_c_utf8), lower(u.permalink COLLATE pg_c_utf8)]) name
        WHERE starts_with(s.text, '@' || name) AND substr(s.text, length(name) + 2, 1) !~ '[[:alnum:]_]')) e
    WHERE e.user_id <> new.user_id
    GROUP BY e.user_id ORDER BY max(e.id) DESC LIMIT 100
  )
  SELECT new.id, r.user_id, CASE WHEN bool_or(r.own) THEN 'own' ELSE 'conversation' END, new.user_id, new.id, bool_or(NOT r.own)
  FROM (SELECT t.user_id, true AS own FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id
    UNION ALL SELECT user_id, false FROM answered
    UNION ALL SELECT f.user_id, false FROM comments f WHERE f.id = new.parent_id AND f.user_id <> new.user_id) r
  GROUP BY r.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER comments_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_of_comment();
