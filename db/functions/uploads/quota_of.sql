-- Returns a user's limits and their use. Bytes are all that lies in storage: originals, encoded files, pictures. Running uploads
-- count with their announced size, and as the track that they become; an abandoned one stops counting when it ends. Lengths are
-- known when an encode ends. So is its size, which counts from then on and fails nothing.
CREATE OR REPLACE FUNCTION quota_of(p_user bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('seconds', l.seconds, 'bytes', l.bytes, 'tracks', l.tracks,
    'seconds_used', t.seconds, 'bytes_used', s.bytes + u.bytes, 'tracks_used', t.tracks + u.tracks)
  FROM quota_limits(p_user) l,
    (SELECT floor(coalesce(sum(duration_ms), 0) / 1000)::bigint, count(*) FROM tracks WHERE user_id = p_user) t (seconds, tracks),
    (SELECT coalesce(sum(bytes), 0)::bigint FROM stored_objects WHERE user_id = p_user) s (bytes),
    (SELECT coalesce(sum(size), 0)::bigint, count(*) FROM uploads
      WHERE user_id = p_user AND expires_at > now() AND (status IN ('completing', 'ready')
        -- Storage did not answer within a minute, so the upload was lost with its request.
        OR status = 'open' AND (storage_upload_id IS NOT NULL OR created_at > now() - interval '1 minute'))) u (bytes, tracks)
$$;
