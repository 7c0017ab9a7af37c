-- Returns a page of all users, or of those in a `relation` to `owner`, `track` or `playlist`, newest first. A search
-- ranks the newest thousand before the rest. `p_page` is that of `list_tracks`; `next` is null at the end.
CREATE OR REPLACE FUNCTION list_users(
  p_session bigint, p_client text, p_user bigint, p_filter jsonb, p_page jsonb, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  track bigint := (p_filter->>'track')::bigint;
  playlist bigint := (p_filter->>'playlist')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words(p_filter) END;
  few bigint[];
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := coalesce((p_page->>'id')::bigint, 9223372036854775807);
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  statement text;
  -- If a track's owner reveals no counts, users find only themselves among its favoriters and reposters.
  hidden boolean := track IS NOT NULL AND EXISTS (SELECT FROM tracks t
    WHERE t.id = track AND NOT t.reveal_stats AND t.user_id IS DISTINCT FROM p_user);
  found bigint[] := '{}';
  places bigint[] := '{}';
  ranks real[] := '{}';
  rest record;
  name CONSTANT text := searched_name(p_filter);
  names CONSTANT tsquery := whole_in_names(words);
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  IF owner IS NOT NULL AND NOT user_exists(owner) OR track IS NOT NULL AND NOT EXISTS (
      SELECT FROM tracks t WHERE t.id = track AND track_access(t, p_user, p_secret_hash, NULL) <> 'none')
    OR playlist IS NOT NULL AND NOT EXISTS (
      SELECT FROM playlists p WHERE p.id = playlist AND playlist_is_visible(p, p_user, p_secret_hash)) THEN
    RETURN json_build_object('found', false);
  END IF;
  -- Punctuation alone contains no word and matches nothing.
  IF p_filter ? 'words' AND words IS NULL THEN
    RETURN json_build_object('found', true, 'users', user_rows(p_user, '{}'));
  END IF;
  -- Followings of one user are few enough to read all.
  IF words IS NOT NULL AND p_filter->>'relation' IS DISTINCT FROM 'followings' THEN
    few := find_few_users(words);
  END IF;
  -- A user of just this name comes before all who have it among other words, however often.
  statement := 'SELECT coalesce(array_agg(id), ''{}'') AS found, coalesce(array_agg(place), ''{}'') AS places,
      coalesce(array_agg(rank), ''{}'') AS ranks
    FROM (SELECT f.id AS place, u.id,
        (search_rank(u.document, $4, $10) + CASE WHEN is_named(u.username, $9) OR is_named(u.permalink, $9) THEN 10 ELSE 0 END)::real AS rank
      FROM ' || CASE p_filter->>'relation'
      WHEN 'followings' THEN 'followings f JOIN users u ON u.id = f.followee_id WHERE f.user_id = $1'
      WHEN 'followers' THEN 'followings f JOIN users u ON u.id = f.user_id WHERE f.followee_id = $1'
      WHEN 'favoriters' THEN 'favorites f JOIN users u ON u.id = f.user_id WHERE f.track_id = $1'
      WHEN 'reposters' THEN 'reposts f JOIN users u ON u.id = f.user_id WHERE f.track_id = $1'
      WHEN 'playlist_favoriters' THEN 'playlist_favorites f JOIN users u ON u.id = f.user_id WHERE f.playlist_id = $1'
      WHEN 'playlist_reposters' THEN 'playlist_reposts f JOIN users u ON u.id = f.user_id WHERE f.playlist_id = $1'
      ELSE 'users u, LATERAL (SELECT u.id) f WHERE true' END
    || ' AND f.id >= $2 AND f.id < $3 AND u.disabled_at IS NULL'
    || CASE WHEN ids IS NOT NULL THEN ' AND u.id = ANY ($5)' ELSE '' END
    || CASE WHEN hidden THEN ' AND u.id = $8' ELSE '' END
    || CASE WHEN few IS NOT NULL THEN ' AND u.id = ANY ($6)' WHEN words IS NOT NULL THEN ' AND u.document @@ $4' ELSE '' END
    || ' ORDER BY place DESC LIMIT $7) page';

  IF words IS NOT NULL AND (low IS NULL OR after_rank IS NOT NULL) THEN
    EXECUTE statement INTO found, places, ranks USING coalesce(owner, track, playlist), coalesce(low, 0),
      coalesce(high + 1, 9223372036854775807), words, ids, few, ranked_at_most, p_user, name, names;
    IF low IS NULL THEN
      high := places[1];
      low := CASE WHEN cardinality(places) = ranked_at_most THEN places[ranked_at_most] ELSE 0 END;
    END IF;
    SELECT coalesce(array_agg(r.id ORDER BY r.rank DESC, r.place DESC), '{}'),
      coalesce(array_agg(r.place ORDER BY r.rank DESC, r.place DESC), '{}'),
      coalesce(array_agg(r.rank ORDER BY r.rank DESC, r.place DESC), '{}')
    INTO found, places, ranks
    FROM unnest(found, places, ranks) AS r(id, place, rank)
    WHERE after_rank IS NULL OR (r.rank, r.place) < (after_rank, after_id);
    after_id := low;
  END IF;
  -- Continues newest first, below the ranked range.
  IF cardinality(found) < wanted AND after_id > 0 THEN
    EXECUTE statement INTO rest USING coalesce(owner, track, playlist), 0::bigint, after_id, words, ids, few,
      wanted - cardinality(found), p_user, name, names;
    found := found || rest.found;
    places := places || rest.places;
  END IF;
  RETURN json_build_object('found', true,
    'users', user_rows(p_user, found[skipped + 1 : wanted - 1]),
    'next', CASE WHEN cardinality(found) >= wanted THEN json_strip_nulls(json_build_object(
      'id', places[wanted - 1], 'rank', ranks[wanted - 1], 'low', low, 'high', high)) END);
END $$;
