-- Returns the reason why the fields `p_sent` are invalid for a track, or null.
CREATE OR REPLACE FUNCTION track_fault(t tracks, p_sent jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_sent ? 'label_id' AND t.label_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = t.label_id AND u.disabled_at IS NULL) THEN 'unknown_label'
    WHEN NOT is_release_date(t.release_year, t.release_month, t.release_day) THEN 'no_such_date'
    WHEN p_sent ? 'permalink' AND EXISTS (
      SELECT FROM tracks o WHERE o.user_id = t.user_id AND o.permalink = t.permalink AND o.id IS DISTINCT FROM t.id)
      THEN 'permalink_taken'
  END
$$;
