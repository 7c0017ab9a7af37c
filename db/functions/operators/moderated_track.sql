-- Returns a track as operators see one.
CREATE OR REPLACE FUNCTION moderated_track(t tracks) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT to_jsonb(r) FROM (
    SELECT t.id, t.title, t.permalink, t.sharing, t.state, id_created_at(t.id) AS created_at, u.id AS user_id,
      u.permalink AS user_permalink, t.original_content_size AS bytes, t.duration_ms,
      d.reason AS taken_down_for, d.created_at AS taken_down_at,
      (SELECT count(*) FROM reports p WHERE p.target_kind = 'track' AND p.target_id = t.id AND p.state = 'open') AS open_reports
    FROM users u LEFT JOIN takedowns d ON d.track_id = t.id WHERE u.id = t.user_id) r
$$;
