-- Returns the reason why the fields `p_sent` are invalid for a playlist, or null.
CREATE OR REPLACE FUNCTION playlist_fault(p playlists, p_sent jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_sent ? 'label_id' AND p.label_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = p.label_id AND u.disabled_at IS NULL) THEN 'unknown_label'
    WHEN NOT is_release_date(p.release_year, p.release_month, p.release_day) THEN 'no_such_date'
    WHEN p_sent ? 'permalink' AND EXISTS (
      SELECT FROM playlists o WHERE o.user_id = p.user_id AND o.permalink = p.permalink AND o.id IS DISTINCT FROM p.id)
      THEN 'permalink_taken'
  END
$$;
