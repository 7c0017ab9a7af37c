-- Finds the media behind a track's lasting address, as visitors may play it now.
CREATE OR REPLACE FUNCTION find_enclosure(
  p_owner text, p_permalink text, p_secret_hash bytea, p_country text
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT m.media || jsonb_build_object('track', t.id, 'private', t.sharing = 'private', 'secret_prefix', s.secret_prefix)
  FROM tracks t, LATERAL (SELECT left(encode(t.secret_hash, 'hex'), 16) AS secret_prefix) s,
    LATERAL (SELECT find_media(t.id, NULL, s.secret_prefix, p_secret_hash, p_country)::jsonb AS media OFFSET 0) m
  WHERE t.id = linked_id('track', p_owner, p_permalink)
$$;
