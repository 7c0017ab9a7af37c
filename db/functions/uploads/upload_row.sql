CREATE OR REPLACE FUNCTION upload_row(u uploads) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT to_json(r) FROM (
    SELECT u.id, u.user_id, u.filename, u.size, u.type, u.last_modified,
      CASE WHEN u.status IN ('open', 'completing', 'ready') AND u.expires_at <= now() THEN 'expired' ELSE u.status END AS status,
      u.part_size, u.part_count, u.object_key, u.storage_upload_id, u.track_id, u.error,
      id_created_at(u.id) AS created_at, u.expires_at) r
$$;
