-- Searches plan less and copy less: what was found passes through fewer functions, and only a page of it is put in order.

-- The parts of a query to look up. Where one is so rare that a sample of a range has none of it, what is common there is left to
-- be compared row by row: of that GIN would read every place.
CREATE FUNCTION rare_parts_v1(p_parts tsquery[], p_from bigint, p_to bigint) RETURNS tsquery[] LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  sampled CONSTANT integer := 300;
  common CONSTANT integer := 15;
  found integer[];
BEGIN
  IF cardinality(p_parts) < 2 THEN
    RETURN p_parts;
  END IF;
  WITH sample AS MATERIALIZED (
    SELECT s.document FROM track_search s WHERE s.id >= p_from AND s.id < p_to ORDER BY s.id DESC LIMIT sampled)
  SELECT array_agg((SELECT count(*) FROM sample s WHERE ts_match_vq(s.document, part)) ORDER BY place) INTO found
  FROM unnest(p_parts) WITH ORDINALITY AS p(part, place);
  RETURN CASE WHEN 0 = ANY (found) THEN ARRAY(
    SELECT part FROM unnest(p_parts, found) AS p(part, found) WHERE p.found < common) ELSE p_parts END;
END $$;

-- Tracks that fit the filter, as before. Nothing is planned for what only its owner finds where the caller has none of that, nor
-- for a second range where the first tells that what is asked is not common.
CREATE OR REPLACE FUNCTION find_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  few_in CONSTANT real := 0.005;
  planned_ranges integer := 2;
  owner bigint := (p_filter->>'owner')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  access text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  sharing text := p_filter->>'sharing';
  liker bigint := (p_filter->>'favored_by')::bigint;
  query tsquery := both_v1(p_words, p_labels);
  -- By ids, or of one owner, there are few: no need to walk the ranges.
  few boolean := liker IS NULL AND query IS NULL AND sharing IS DISTINCT FROM 'private' AND (ids IS NOT NULL OR owner IS NOT NULL);
  -- Ranked before they are sorted: that takes less than to sort the documents along.
  statement text := 'SELECT r.place, ' || CASE WHEN p_words IS NULL THEN 'NULL::real' ELSE 'ts_rank(r.document, $6)' END
    || CASE WHEN liker IS NULL THEN ' FROM (SELECT s.id AS place, s.* FROM %I s) r'
      ELSE ' FROM (SELECT f.id AS place, s.* FROM favorites f JOIN %I s ON s.id = f.track_id WHERE f.user_id = $16) r' END
    || ' WHERE %s AND r.place >= $1 AND r.place < $2'
    || CASE WHEN liker IS NOT NULL AND p_filter ?| ARRAY['id_from', 'id_to'] THEN ' AND r.id >= $17 AND r.id < $18' ELSE '' END
    || CASE WHEN ids IS NOT NULL THEN ' AND r.id = ANY ($3)' ELSE '' END
    || CASE WHEN owner IS NOT NULL THEN ' AND r.user_id = $4' ELSE '' END
    || CASE WHEN query IS NOT NULL THEN ' AND r.document @@ $5 AND ($19 IS NULL OR ts_match_vq(r.document, $19))' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_from' THEN ' AND r.bpm >= $7' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_to' THEN ' AND r.bpm <= $8' ELSE '' END
    || CASE WHEN p_filter ? 'duration_from' THEN ' AND r.duration_ms >= $9' ELSE '' END
    || CASE WHEN p_filter ? 'duration_to' THEN ' AND r.duration_ms <= $10' ELSE '' END
    || CASE WHEN access IS NULL THEN ''
      -- Labels have told already, but for whose they are.
      WHEN NOT 'playable' = ANY (access) THEN ' AND r.user_id IS DISTINCT FROM $11' ELSE
      ' AND (SELECT track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = $11, t.sharing = ''private'', t.streamable,
        t.available_country_codes IS NOT NULL AND ($12 = ANY (t.available_country_codes)) IS NOT TRUE, t.paywall, $15)
        FROM tracks t JOIN users o ON o.id = t.user_id WHERE t.id = r.id) = ANY ($13)' END
    || ' ORDER BY r.place ' || CASE WHEN p_ascending THEN 'ASC' ELSE 'DESC' END || ' LIMIT $14';
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  listed boolean := NOT few AND sharing IS DISTINCT FROM 'private';
  parts tsquery[] := CASE WHEN listed THEN search_parts_v1(query) END;
  -- What is still a prefix is compared where there is something better to look up: it stands for many words, and GIN reads
  -- every place of each.
  exact tsquery[] := ARRAY(SELECT part FROM unnest(parts) part WHERE part::text NOT LIKE '%:*%');
  rare tsquery[];
  prefixes tsquery := all_of_v1(ARRAY(SELECT part FROM unnest(parts) part WHERE part::text LIKE '%:*%'));
  looked_up tsquery := coalesce(all_of_v1(exact), prefixes);
  rest tsquery := CASE WHEN exact <> '{}' THEN prefixes END;
  by_index text := CASE WHEN liker IS NOT NULL THEN CASE WHEN p_ascending THEN 'like, oldest first' ELSE 'like' END
    WHEN ids IS NOT NULL THEN 'id' WHEN owner IS NOT NULL THEN 'owner' END;
  source record;
  rest_from bigint := p_from;
  rest_to bigint := p_to;
  missing integer := p_limit;
  found_here integer;
  walked integer := 0;
  ahead integer := 1;
BEGIN
  listed := listed AND array_position(parts, NULL) IS NULL;
  FOR source IN
    SELECT 'tracks' AS name, '(r.user_id = $11 OR r.sharing = ''public'' AND r.state <> ''failed'' AND NOT EXISTS (
        SELECT FROM users u WHERE u.id = r.user_id AND u.disabled_at IS NOT NULL))'
        || CASE WHEN sharing = 'public' THEN ' AND r.sharing = ''public''' ELSE '' END AS condition,
      NULL::bigint AS from_id, NULL::bigint AS to_id, 0::bigint AS turn
    WHERE few
    UNION ALL
    SELECT 'track_search_unlisted', 'r.user_id = $11'
        || CASE sharing WHEN 'public' THEN ' AND r.public' WHEN 'private' THEN ' AND NOT r.public' ELSE '' END, NULL, NULL, 0
    WHERE NOT few AND EXISTS (SELECT FROM track_search_unlisted u WHERE u.user_id = p_user)
    UNION ALL
    (SELECT 'track_search_' || from_id, 'true', from_id, to_id,
      row_number() OVER (ORDER BY CASE WHEN p_ascending THEN from_id ELSE -from_id END)
    FROM track_search_ranges WHERE listed AND by_index IS NULL AND from_id < p_to AND to_id > p_from)
    ORDER BY turn
  LOOP
    IF source.turn > planned_ranges THEN
      IF source.turn = planned_ranges + 1 THEN
        by_index := rarest_index_v1(p_filter, looked_up, source.name);
        rare := rare_parts_v1(exact, source.from_id, source.to_id);
        IF cardinality(rare) < cardinality(exact) THEN
          looked_up := all_of_v1(rare);
          rest := all_of_v1(ARRAY(SELECT part FROM unnest(parts) part WHERE part <> ALL (rare)));
        END IF;
      END IF;
      EXIT WHEN by_index IS NOT NULL;
    END IF;
    RETURN QUERY EXECUTE format(statement, source.name, source.condition) USING p_from, p_to, ids, owner,
      CASE WHEN source.turn > 0 THEN looked_up ELSE query END, p_words, (p_filter->>'bpm_from')::real,
      (p_filter->>'bpm_to')::real, (p_filter->>'duration_from')::bigint, (p_filter->>'duration_to')::bigint, p_user, p_country,
      access, missing, paying, liker,
      coalesce((p_filter->>'id_from')::bigint, 0), coalesce((p_filter->>'id_to')::bigint, 9223372036854775807), rest;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    IF source.turn > 0 THEN
      missing := missing - found_here;
      EXIT WHEN missing <= 0;
      walked := source.turn;
      -- To plan takes as long as to look up: what so few have here will not be walked to in the next range either.
      IF walked = 1 AND found_here < few_in * (SELECT c.reltuples FROM pg_class c WHERE c.oid = to_regclass(source.name)) THEN
        planned_ranges := 1;
      END IF;
      rest_from := CASE WHEN p_ascending THEN source.to_id ELSE p_from END;
      rest_to := CASE WHEN p_ascending THEN p_to ELSE source.from_id END;
    END IF;
  END LOOP;
  IF NOT listed OR by_index IS NULL OR missing <= 0 THEN
    RETURN;
  END IF;
  IF walked = 0 THEN
    RETURN QUERY SELECT * FROM walk_tracks_v1(p_user, p_country, paying, p_filter, by_index, looked_up, rest, p_words, p_from, p_to,
      p_ascending, p_limit);
    RETURN;
  END IF;
  LOOP
    ahead := least(2 * walked, CASE WHEN found_here > 0 THEN greatest(1, round(missing::float8 * ahead / found_here)) END);
    SELECT min(r.from_id) AS from_id, max(r.to_id) AS to_id INTO source FROM (
      SELECT from_id, to_id FROM track_search_ranges WHERE from_id < rest_to AND to_id > rest_from
      ORDER BY CASE WHEN p_ascending THEN from_id ELSE -from_id END LIMIT ahead) r;
    EXIT WHEN source.from_id IS NULL;
    RETURN QUERY SELECT * FROM walk_tracks_v1(p_user, p_country, paying, p_filter, by_index, looked_up, rest, p_words,
      greatest(source.from_id, rest_from), least(source.to_id, rest_to), p_ascending, missing);
    GET DIAGNOSTICS found_here = ROW_COUNT;
    missing := missing - found_here;
    EXIT WHEN missing <= 0;
    walked := walked + ahead;
    rest_from := CASE WHEN p_ascending THEN source.to_id ELSE rest_from END;
    rest_to := CASE WHEN p_ascending THEN rest_to ELSE source.from_id END;
  END LOOP;
END $$;

-- In SQL, so that it becomes part of the statement that reads it: its rows are not copied once more.
CREATE OR REPLACE FUNCTION find_listed_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE sql STABLE AS $$
  SELECT r.place, r.rank FROM find_reposted_tracks_v1(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to, p_ascending,
    p_limit) r
  WHERE p_filter ? 'reposted_by'
  UNION ALL
  SELECT f.place, f.rank FROM find_tracks_v1(p_user, p_country, p_filter, p_words, p_labels, p_from, p_to, p_ascending,
    p_limit) f
  WHERE NOT p_filter ? 'reposted_by'
$$;

-- As before, by plans that are kept.
CREATE OR REPLACE FUNCTION list_tracks_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- How many of the newest matches are ranked, so that the cost of a common word stays bounded.
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  marker bigint := coalesce(p_filter->>'favored_by', p_filter->>'reposted_by')::bigint;
  words tsquery;
  labels tsquery;
  paying boolean;
  ascending boolean := coalesce((p_page->>'ascending')::boolean, false);
  ranked boolean := coalesce((p_page->>'ranked')::boolean, false);
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := (p_page->>'id')::bigint;
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  -- Of places: in a list of marks it is `find_listed_tracks_v1` that looks at the ids of tracks.
  from_id bigint := CASE WHEN marker IS NULL THEN coalesce((p_filter->>'id_from')::bigint, 0) ELSE 0 END;
  to_id bigint := coalesce(CASE WHEN marker IS NULL THEN (p_filter->>'id_to')::bigint END, 9223372036854775807);
  found bigint[] := '{}';
  page bigint[];
  ranks real[] := '{}';
  best record;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF coalesce(owner, marker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, marker) AND u.disabled_at IS NULL) THEN
    RETURN json_build_object('auth_ok', true, 'owner_found', false);
  END IF;
  -- Ids that all fit on a page, and nothing else asked of them: the page is the search.
  IF p_filter - 'ids' = '{}' AND jsonb_array_length(p_filter->'ids') <= page_limit AND after_id IS NULL AND skipped = 0 THEN
    SELECT array_agg(id::bigint ORDER BY CASE WHEN ascending THEN id::bigint ELSE -id::bigint END) INTO found
    FROM jsonb_array_elements_text(p_filter->'ids') id;
    RETURN json_build_object('auth_ok', true, 'owner_found', true,
      'tracks', track_page_v1(p_user, p_country, found, p_known));
  END IF;
  IF p_filter ? 'words' THEN
    words := search_words_v1(p_filter);
    -- Punctuation alone is no word, and is found nowhere.
    IF words IS NULL THEN
      RETURN json_build_object('auth_ok', true, 'owner_found', true, 'tracks', track_page_v1(p_user, p_country, '{}', p_known));
    END IF;
  END IF;
  IF p_filter ?| ARRAY['genres', 'tags', 'licenses', 'types', 'access'] THEN
    paying := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
    labels := both_v1(both_v1(both_v1(search_any_label_v1('genre', p_filter->'genres'),
      search_any_label_v1('tag', p_filter->'tags')), both_v1(search_any_label_v1('license', p_filter->'licenses'),
      search_any_label_v1('type', p_filter->'types'))), search_access_v1(p_filter->'access', p_country, paying));
  END IF;

  IF ranked AND (low IS NULL OR after_rank IS NOT NULL) THEN
    WITH newest AS MATERIALIZED (
      SELECT f.place, f.rank FROM find_listed_tracks_v1(p_user, p_country, p_filter, words, labels,
        coalesce(low, from_id), coalesce(high + 1, to_id), false, ranked_at_most) f
      ORDER BY f.place DESC LIMIT ranked_at_most)
    SELECT coalesce(array_agg(f.place), '{}') AS places, coalesce(array_agg(f.rank), '{}') AS ranks,
      -- The ends of what is ranked.
      (SELECT ARRAY[CASE WHEN count(*) = ranked_at_most THEN min(n.place) ELSE from_id END, max(n.place)] FROM newest n) AS ends
    INTO best
    FROM (SELECT n.place, n.rank FROM newest n
      WHERE after_rank IS NULL OR (n.rank, n.place) < (after_rank, after_id)
      ORDER BY n.rank DESC, n.place DESC LIMIT wanted) f;
    found := best.places;
    ranks := best.ranks;
    IF low IS NULL THEN
      low := best.ends[1];
      high := best.ends[2];
    END IF;
    after_id := low;
  END IF;
  -- Newest first, or what is below all that is ranked.
  IF cardinality(found) < wanted AND NOT (ranked AND low = from_id) THEN
    IF ascending THEN
      from_id := greatest(from_id, after_id + 1);
    ELSE
      to_id := least(to_id, after_id);
    END IF;
    SELECT found || coalesce(array_agg(f.place ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END), '{}') INTO found
    FROM (SELECT f.place FROM find_listed_tracks_v1(p_user, p_country, p_filter, NULL, both_v1(words, labels), from_id,
        to_id, ascending, wanted - cardinality(found)) f
      ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END LIMIT wanted - cardinality(found)) f;
  END IF;

  page := found[skipped + 1 : wanted - 1];
  IF marker IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(f.track_id ORDER BY array_position($2, f.id)) FROM %I f
      WHERE f.user_id = $1 AND f.id = ANY ($2)', CASE WHEN p_filter ? 'reposted_by' THEN 'reposts' ELSE 'favorites' END)
    INTO page USING marker, page;
  END IF;
  RETURN json_build_object('auth_ok', true, 'owner_found', true, 'tracks', track_page_v1(p_user, p_country, page, p_known),
    'next', CASE WHEN cardinality(found) >= wanted THEN json_strip_nulls(json_build_object(
      'id', found[wanted - 1], 'rank', ranks[wanted - 1], 'low', low, 'high', high)) END);
END $$;
