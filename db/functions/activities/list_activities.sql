-- Returns a page of activities. `p_page` holds `limit`, `before` (end of the previous page), and `since` or `until`, as
-- moments. Planned at each call would cost more than executing it.
CREATE OR REPLACE FUNCTION list_activities(
  p_session bigint, p_client text, p_user bigint, p_country text, p_what text, p_access text[], p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  page_limit integer := (p_page->>'limit')::integer;
  now_shown jsonb := coalesce(p_page->'until', moment(p_page->'since'));
  -- Rows that a replica has beside what it is sure of would come again in a poll.
  until jsonb := CASE WHEN p_page ? 'until' OR pg_is_in_recovery() THEN now_shown END;
  taken bigint;
  page json;
  last_place bigint;
  places bigint[];
  whole_at bigint[];
  bounded record;
  tracks json;
  whole bigint[];
  shared bigint[];
  mini bigint[];
  comment_ids bigint[];
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  WITH found AS MATERIALIZED (
    SELECT f.* FROM find_activities(p_user, p_country, p_what, p_access, (p_page->>'before')::bigint, page_limit + 1,
      p_page->'since', until) f
    ORDER BY f.place DESC LIMIT page_limit + 1
  ), page AS MATERIALIZED (SELECT f.* FROM found f ORDER BY f.place DESC LIMIT page_limit)
  SELECT (SELECT count(*) FROM found), array_agg(p.place ORDER BY p.place DESC), json_agg(json_build_object(
      'type', p.type, 'created_at', id_created_at(p.place), 'track_id', p.track_id, 'comment_id', p.comment_id,
      'own', p.about = 'own', 'conversation', p.about = 'conversation' OR p.answers,
      'affiliated', p.about = 'followed' OR follows(p_user, p.actor_id),
      'exclusive', p.about = 'shared' AND is_exclusive(p.track_id),
      'first', p.about = 'shared' AND NOT follows(p_user, p.actor_id) AND NOT EXISTS (
        SELECT FROM activities e WHERE e.user_id = p_user AND e.actor_id = p.actor_id AND e.shared_track_id IS NOT NULL
          AND e.id < p.place),
      'note', CASE WHEN p.about = 'shared' THEN
        (SELECT s.note FROM track_shares s WHERE s.track_id = p.track_id AND s.user_id = p_user) END,
      'user', CASE WHEN p.type = 'favoriting' THEN mini_user(p.actor_id) END) ORDER BY p.place DESC),
    array_agg(p.track_id ORDER BY p.place DESC) FILTER (WHERE p.type IN ('track', 'track-sharing')),
    array_agg(p.place ORDER BY p.place DESC) FILTER (WHERE p.type IN ('track', 'track-sharing')),
    array_agg(p.track_id) FILTER (WHERE p.type = 'track-sharing'),
    array_agg(DISTINCT p.track_id) FILTER (WHERE p.type IN ('comment', 'favoriting')), array_agg(p.comment_id) FILTER (WHERE p.type = 'comment')
  INTO taken, places, page, whole, whole_at, shared, mini, comment_ids FROM page p;
  last_place := CASE WHEN taken > page_limit THEN places[page_limit] END;
  IF whole IS NOT NULL THEN
    SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, whole, p_held, coalesce(shared, '{}'));
    tracks := bounded.page;
    IF bounded.covered < cardinality(whole) THEN
      places := ARRAY(SELECT place FROM unnest(places) place WHERE place > whole_at[bounded.covered + 1] ORDER BY place DESC);
      page := (SELECT json_agg(e.value ORDER BY e.place)
        FROM json_array_elements(page) WITH ORDINALITY AS e(value, place) WHERE e.place <= cardinality(places));
      last_place := places[cardinality(places)];
    END IF;
  END IF;
  RETURN json_build_object('activities', coalesce(page, '[]'), 'moment', now_shown,
    'tracks', tracks,
    'mini_tracks', (SELECT coalesce(json_agg(mini_track(m.id)), '[]') FROM unnest(mini) m(id)),
    'comments', comment_rows(coalesce(comment_ids, '{}')), 'next', last_place);
END $$;
