-- Returns a page of posts by users whom the reader follows. `p_page` holds `limit`, `before` (end of the previous
-- page), `until` (moment of the first page) and `since` (only newer posts).
CREATE OR REPLACE FUNCTION list_feed(
  p_session bigint, p_client text, p_user bigint, p_country text, p_kinds text[], p_access text[], p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- Bounds the posts examined if hardly any tracks have the wanted `access`.
  looked_at_most CONSTANT integer := 20000;
  page_limit integer := (p_page->>'limit')::integer;
  now_shown jsonb := coalesce(p_page->'until', moment(p_page->'since'));
  -- Rows that a replica has beside what it is sure of would come again in a poll.
  until jsonb := CASE WHEN p_page ? 'until' OR pg_is_in_recovery() THEN now_shown END;
  below bigint := (p_page->>'before')::bigint;
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  asked integer := page_limit + 1;
  looked integer := 0;
  met integer;
  fitting posts[];
  found posts[] := '{}';
  listed bigint[];
  bounded record;
  last integer := page_limit;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  LOOP
    SELECT count(*), min(f.place), array_agg(ROW(f.place, f.kind, f.user_id, f.subject_id, NULL)::posts ORDER BY f.place DESC)
      FILTER (WHERE CASE WHEN f.kind IN ('track', 'track-repost') THEN EXISTS (
          SELECT FROM tracks t JOIN users o ON o.id = t.user_id, LATERAL (
            SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
              t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
              t.paywall, paying) AS access OFFSET 0) a
          WHERE t.id = f.subject_id AND t.sharing = 'public' AND t.state <> 'failed' AND a.access <> 'none'
            AND (p_access IS NULL OR a.access = ANY (p_access)))
        ELSE EXISTS (SELECT FROM playlists p
          WHERE p.id = f.subject_id AND p.sharing = 'public' AND playlist_is_visible(p, p_user, NULL)) END)
    INTO met, below, fitting
    FROM followed_posts(p_user, p_kinds, below, NULL, asked, p_page->'since', until) f;
    found := found || coalesce(fitting, '{}');
    looked := looked + met;
    EXIT WHEN cardinality(found) > page_limit OR met < asked OR looked >= looked_at_most;
    asked := least(asked * 4, looked_at_most - looked);
  END LOOP;
  SELECT coalesce(array_agg(f.subject_id ORDER BY f.place), '{}') INTO listed FROM (
    SELECT f.subject_id, min(f.place) AS place
    FROM unnest(found[1 : page_limit]) WITH ORDINALITY AS f(id, kind, user_id, subject_id, transaction, place)
    WHERE f.kind IN ('track', 'track-repost') GROUP BY f.subject_id) f;
  SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, listed, p_held);
  IF bounded.covered < cardinality(listed) THEN
    SELECT min(f.place) - 1 INTO last
    FROM unnest(found) WITH ORDINALITY AS f(id, kind, user_id, subject_id, transaction, place)
    WHERE f.kind IN ('track', 'track-repost') AND f.subject_id = listed[bounded.covered + 1];
  END IF;
  RETURN json_build_object('items', (
      SELECT coalesce(json_agg(json_build_object('kind', f.kind, 'posted_at', id_created_at(f.id), 'subject_id', f.subject_id,
        'own', CASE WHEN f.kind = 'track-repost' THEN EXISTS (SELECT FROM tracks t WHERE t.id = f.subject_id AND t.user_id = p_user)
          WHEN f.kind = 'playlist-repost' THEN EXISTS (SELECT FROM playlists p WHERE p.id = f.subject_id AND p.user_id = p_user)
          ELSE false END,
        'reposter', CASE WHEN f.kind IN ('track-repost', 'playlist-repost') THEN mini_user(f.user_id) END) ORDER BY f.id DESC), '[]')
      FROM unnest(found[1 : last]) f),
    'tracks', bounded.page,
    'playlists', playlist_page(p_user, p_country, (
      SELECT coalesce(array_agg(DISTINCT f.subject_id), '{}') FROM unnest(found[1 : last]) f
      WHERE f.kind IN ('playlist', 'playlist-repost')), NULL, 'none', '{}', 0)->'playlists',
    'next', CASE WHEN cardinality(found) > last THEN found[last].id END,
    'moment', now_shown);
END $$;
