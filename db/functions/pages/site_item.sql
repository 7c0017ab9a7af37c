-- Returns the fields of a track that lists on pages show.
CREATE OR REPLACE FUNCTION site_item(t tracks, p_access text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT t.id, t.title, t.permalink, t.artist, t.duration_ms, t.state, t.sharing, p_access AS access,
      CASE WHEN t.taken_down_at IS NULL THEN t.artwork_version END AS artwork_version,
      mini_user(t.user_id) AS user) r
$$;
