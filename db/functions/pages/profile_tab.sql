-- Returns a page of a profile's tab, newest first: what the reader sees of a user's tracks, sets, reposts, likes,
-- followers or followings. Each item has one of `track`, `playlist` and `user`; a place is the id of the item's first publication,
-- or of the mark.
CREATE OR REPLACE FUNCTION profile_tab(p_owner bigint, p_tab text, p_after bigint, p_country text, p_reader bigint)
RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  below bigint := coalesce(p_after, 9223372036854775807);
  page_limit CONSTANT integer := 30;
  wanted CONSTANT integer := page_limit + 1;
  places bigint[];
  track_ids bigint[];
  set_ids bigint[];
  user_ids bigint[];
BEGIN
  CASE p_tab
    WHEN 'tracks' THEN
      SELECT array_agg(t.published_id ORDER BY t.published_id DESC), array_agg(t.id ORDER BY t.published_id DESC)
      INTO places, track_ids FROM (
        SELECT t.published_id, t.id FROM tracks t
        WHERE t.user_id = p_owner AND t.published_id < below
          AND (t.user_id = p_reader OR t.sharing = 'public' AND t.state <> 'failed')
        ORDER BY t.published_id DESC LIMIT wanted) t;
    WHEN 'sets' THEN
      places := newest_playlists(p_reader, p_owner, NULL, below, wanted);
      set_ids := ARRAY(SELECT p.id FROM playlists p WHERE p.user_id = p_owner AND p.published_id = ANY (places)
        ORDER BY p.published_id DESC);
    WHEN 'likes' THEN
      SELECT array_agg(m.id ORDER BY m.id DESC), array_agg(m.track_id ORDER BY m.id DESC),
        array_agg(m.playlist_id ORDER BY m.id DESC) INTO places, track_ids, set_ids
      FROM marked_items('favorites', p_owner, below, p_reader, wanted) m;
    WHEN 'reposts' THEN
      SELECT array_agg(m.id ORDER BY m.id DESC), array_agg(m.track_id ORDER BY m.id DESC),
        array_agg(m.playlist_id ORDER BY m.id DESC) INTO places, track_ids, set_ids
      FROM marked_items('reposts', p_owner, below, p_reader, wanted) m;
    WHEN 'followers' THEN
      SELECT array_agg(f.id ORDER BY f.id DESC), array_agg(f.user_id ORDER BY f.id DESC) INTO places, user_ids FROM (
        SELECT f.id, f.user_id FROM followings f JOIN users u ON u.id = f.user_id AND u.disabled_at IS NULL
        WHERE f.followee_id = p_owner AND f.id < below ORDER BY f.id DESC LIMIT wanted) f;
    WHEN 'following' THEN
      SELECT array_agg(f.id ORDER BY f.id DESC), array_agg(f.followee_id ORDER BY f.id DESC) INTO places, user_ids FROM (
        SELECT f.id, f.followee_id FROM followings f JOIN users u ON u.id = f.followee_id AND u.disabled_at IS NULL
        WHERE f.user_id = p_owner AND f.id < below ORDER BY f.id DESC LIMIT wanted) f;
  END CASE;
  RETURN json_build_object(
    'items', (
      SELECT coalesce(json_agg(json_build_object(
        'track', (SELECT track_row(t, p_reader, track_access(t, p_reader, NULL, p_country)) FROM tracks t WHERE t.id = i.track),
        'playlist', (SELECT r.row FROM playlists p, playlist_row(p, p_reader, NULL, p_country) r WHERE p.id = i.playlist),
        'user', user_rows(p_reader, ARRAY[i.person])->0,
        'follows', EXISTS (SELECT FROM followings f WHERE f.user_id = p_reader AND f.followee_id = i.person)) ORDER BY i.turn), '[]')
      FROM unnest(places, track_ids, set_ids, user_ids) WITH ORDINALITY AS i(place, track, playlist, person, turn)
      WHERE i.turn <= page_limit),
    'next', CASE WHEN cardinality(places) > page_limit THEN places[page_limit] END);
END $$;
