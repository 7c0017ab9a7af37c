-- Returns a set's podcast fields, null while it is none, and what its feed's address consists of.
CREATE OR REPLACE FUNCTION podcast_reply(p_set bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('outcome', 'done',
    'podcast', (SELECT to_jsonb(c) - ARRAY['playlist_id', 'updated_at'] FROM podcasts c WHERE c.playlist_id = p.id),
    'set', jsonb_build_object('owner', u.permalink, 'permalink', p.permalink, 'private', p.sharing = 'private',
      'guid', p.podcast_guid, 'secret_sealed', encode(p.secret_sealed, 'base64')))
  FROM playlists p JOIN users u ON u.id = p.user_id WHERE p.id = p_set
$$;
