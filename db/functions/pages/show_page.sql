-- Returns a page of the site with what surrounds it: the reader's marks, a track's comments and related tracks, and a
-- list: a tab of a profile, or the tracks of a playlist. `p_after` continues the comments or the list.
CREATE OR REPLACE FUNCTION show_page(
  p_kind text, p_owner text, p_permalink text, p_secret_hash bytea, p_country text, p_tab text, p_after bigint,
  p_session bigint, p_user bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  page json := find_page(p_kind, NULL, p_owner, p_permalink, p_secret_hash, p_country, p_kind = 'track', NULL, p_session, p_user);
  meant bigint := (page->p_kind->>'id')::bigint;
  owner bigint := CASE WHEN p_kind = 'user' THEN meant ELSE (page->p_kind->>'user_id')::bigint END;
  reader bigint := CASE WHEN (page->>'is_signed_in')::boolean THEN p_user END;
BEGIN
  IF meant IS NULL THEN
    RETURN json_build_object('page', page);
  END IF;
  RETURN json_build_object('page', page, 'around', json_build_object(
    'follows', EXISTS (SELECT FROM followings f WHERE f.user_id = reader AND f.followee_id = owner),
    'likes', CASE p_kind
      WHEN 'track' THEN EXISTS (SELECT FROM favorites f WHERE f.user_id = reader AND f.track_id = meant)
      WHEN 'playlist' THEN EXISTS (SELECT FROM playlist_favorites f WHERE f.user_id = reader AND f.playlist_id = meant)
      ELSE false END,
    'reposts', CASE p_kind
      WHEN 'track' THEN EXISTS (SELECT FROM reposts r WHERE r.user_id = reader AND r.track_id = meant)
      WHEN 'playlist' THEN EXISTS (SELECT FROM playlist_reposts r WHERE r.user_id = reader AND r.playlist_id = meant)
      ELSE false END,
    'comments', CASE WHEN p_kind = 'track' THEN page_comments(meant, p_after, reader) END,
    'related', CASE WHEN p_kind = 'track' THEN page_related(meant, p_secret_hash, p_country, p_session, reader) END,
    'list', CASE p_kind
      WHEN 'user' THEN profile_tab(meant, p_tab, p_after, p_country, reader)
      WHEN 'playlist' THEN set_tracks(meant, p_after, p_secret_hash, p_country, reader) END,
    'web_profiles', CASE WHEN p_kind = 'user' THEN web_profile_rows(meant) END));
END $$;
