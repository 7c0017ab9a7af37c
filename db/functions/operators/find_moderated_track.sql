-- Returns a track, in whatever state, or null. It is named by id, or by its owner's permalink and its own.
CREATE OR REPLACE FUNCTION find_moderated_track(p_id bigint, p_owner text, p_permalink text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT moderated_track(t) FROM tracks t WHERE t.id = coalesce(p_id, linked_id('track', p_owner, p_permalink))
$$;
