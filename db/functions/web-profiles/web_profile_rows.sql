CREATE OR REPLACE FUNCTION web_profile_rows(p_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', w.id, 'service', w.service, 'title', w.title, 'url', w.url,
    'username', w.username, 'created_at', id_created_at(w.id)) ORDER BY w.place), '[]')
  FROM web_profiles w WHERE w.user_id = p_id
$$;
