-- Returns places of tracks that fit the filter, in order: an owner's by first publication, favorites by the mark. Plans no search of unlisted tracks if the caller has none.
-- Plans a second range only if the first shows that matches are common.
CREATE OR REPLACE FUNCTION find_tracks(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Share of a range's rows. Fewer matches than that are rare.
  few_in CONSTANT real := 0.005;
  planned_ranges integer := 2;
  owner bigint := (p_filter->>'owner')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  access text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  sharing text := p_filter->>'sharing';
  favoriter bigint := (p_filter->>'favored_by')::bigint;
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  unlisted_query tsquery := match_both(p_words, p_labels);
  names tsquery := whole_in_names(p_words);
  -- Labels decide the access of others to listed tracks. An owner's unlisted ones are few, so the rule itself decides.
  query tsquery := match_both(unlisted_query, search_access(p_filter->'access', p_country, paying));
  -- Few tracks match ids or an owner, so walking the ranges is unnecessary.
  few boolean := favoriter IS NULL AND query IS NULL AND sharing IS DISTINCT FROM 'private' AND (ids IS NOT NULL OR owner IS NOT NULL);
  -- $1 and $2 bound places, $17 and $18 ids. $3 ids, $4 owner, $5 looked up, $19 compared row by row, $6 and $20 ranked by, $7 to
  -- $10 bounds of bpm and duration, $11 caller, $12 country, $13 access, $14 limit, $15 whether they pay, $16 favoriter.
  -- Ranking before sorting is cheaper than sorting the documents too.
  statement text := 'SELECT r.place, ' || CASE WHEN p_words IS NULL THEN 'NULL::real' ELSE 'search_rank(r.document, $6, $20)' END
    || ' FROM (%s) r WHERE %s AND r.place >= $1 AND r.place < $2'
    || CASE WHEN coalesce(favoriter, owner) IS NOT NULL AND p_filter ?| ARRAY['id_from', 'id_to'] THEN ' AND r.id >= $17 AND r.id < $18' ELSE '' END
    || CASE WHEN ids IS NOT NULL THEN ' AND r.id = ANY ($3)' ELSE '' END
    || CASE WHEN owner IS NOT NULL THEN ' AND r.user_id = $4' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_from' THEN ' AND r.bpm >= $7' ELSE '' END
    || CASE WHEN p_filter ? 'bpm_to' THEN ' AND r.bpm <= $8' ELSE '' END
    || CASE WHEN p_filter ? 'duration_from' THEN ' AND r.duration_ms >= $9' ELSE '' END
    || CASE WHEN p_filter ? 'duration_to' THEN ' AND r.duration_ms <= $10' ELSE '' END
    || ' ORDER BY r.place ' || CASE WHEN p_ascending THEN 'ASC' ELSE 'DESC' END || ' LIMIT $14';
  by_rule text := CASE WHEN access IS NULL THEN '' ELSE
      ' AND (SELECT track_access_rule(o.disabled_at IS NOT NULL, t.taken_down_at IS NOT NULL, t.user_id = $11, t.sharing = ''private'', t.streamable,
        t.available_country_codes IS NOT NULL AND ($12 = ANY (t.available_country_codes)) IS NOT TRUE, t.paywall, $15)
        FROM tracks t JOIN users o ON o.id = t.user_id WHERE t.id = r.id) = ANY ($13)' END;
  listed boolean := NOT few AND sharing IS DISTINCT FROM 'private';
  parts tsquery[] := CASE WHEN listed THEN search_parts(query) END;
  -- A prefix stands for many words, and GIN reads every place of each. It is compared row by row if another part can be
  -- looked up.
  exact tsquery[] := ARRAY(SELECT part FROM unnest(parts) part WHERE part::text NOT LIKE '%:*%');
  rare tsquery[];
  prefixes tsquery := match_all(ARRAY(SELECT part FROM unnest(parts) part WHERE part::text LIKE '%:*%'));
  looked_up tsquery := coalesce(match_all(exact), prefixes);
  rest tsquery := CASE WHEN exact <> '{}' THEN prefixes END;
  by_index text := CASE WHEN favoriter IS NOT NULL THEN CASE WHEN p_ascending THEN 'favorite, oldest first' ELSE 'favorite' END
    WHEN owner IS NOT NULL THEN 'owner' WHEN ids IS NOT NULL THEN 'id' END;
  placed text;
  source record;
  rest_from bigint := p_from;
  rest_to bigint := p_to;
  missing integer := p_limit;
  found_here integer;
  searched integer := 0;
  next_ranges integer := 1;
BEGIN
  listed := listed AND array_position(parts, NULL) IS NULL;
  FOR source IN
    SELECT 'tracks' AS name, '(r.user_id = $11 OR r.sharing = ''public'' AND r.state <> ''failed'' AND NOT EXISTS (
        SELECT FROM users u WHERE u.id = r.user_id AND u.disabled_at IS NOT NULL))'
        || CASE WHEN sharing = 'public' THEN ' AND r.sharing = ''public''' ELSE '' END || by_rule AS condition,
      NULL::bigint AS from_id, NULL::bigint AS to_id, 0::bigint AS turn
    WHERE few
    UNION ALL
    SELECT 'track_search_unlisted', 'r.user_id = $11'
        || CASE sharing WHEN 'public' THEN ' AND r.public' WHEN 'private' THEN ' AND NOT r.public' ELSE '' END
        || CASE WHEN unlisted_query IS NOT NULL THEN ' AND r.document @@ $5' ELSE '' END || by_rule, NULL, NULL, 0
    WHERE NOT few AND EXISTS (SELECT FROM track_search_unlisted u WHERE u.user_id = p_user)
    UNION ALL
    (SELECT 'track_search_' || from_id, 'true'
        || CASE WHEN query IS NOT NULL THEN ' AND r.document @@ $5 AND ($19 IS NULL OR ts_match_vq(r.document, $19))' ELSE '' END
        || CASE WHEN NOT 'playable' = ANY (access) THEN ' AND r.user_id IS DISTINCT FROM $11' ELSE by_rule END, from_id, to_id,
      row_number() OVER (ORDER BY CASE WHEN p_ascending THEN from_id ELSE -from_id END)
    FROM track_search_ranges WHERE listed AND by_index IS NULL AND from_id < p_to AND to_id > p_from)
    ORDER BY turn
  LOOP
    IF source.turn > planned_ranges THEN
      IF source.turn = planned_ranges + 1 THEN
        by_index := rarest_index(p_filter, looked_up, source.name);
        rare := rare_parts(exact, source.from_id, source.to_id);
        IF cardinality(rare) < cardinality(exact) THEN
          looked_up := match_all(rare);
          rest := match_all(ARRAY(SELECT part FROM unnest(parts) part WHERE part <> ALL (rare)));
        END IF;
      END IF;
      EXIT WHEN by_index IS NOT NULL;
    END IF;
    placed := CASE
      WHEN favoriter IS NOT NULL THEN 'SELECT f.id AS place, s.* FROM favorites f JOIN %I s ON s.id = f.track_id WHERE f.user_id = $16'
      WHEN owner IS NULL THEN 'SELECT s.id AS place, s.* FROM %I s'
      WHEN source.name = 'tracks' THEN 'SELECT s.published_id AS place, s.* FROM %I s'
      ELSE 'SELECT o.published_id AS place, s.* FROM tracks o JOIN %I s ON s.id = o.id WHERE o.user_id = $4' END;
    RETURN QUERY EXECUTE format(statement, format(placed, source.name), source.condition) USING p_from, p_to, ids, owner,
      CASE WHEN source.turn > 0 THEN looked_up ELSE unlisted_query END, p_words, (p_filter->>'bpm_from')::double precision,
      (p_filter->>'bpm_to')::double precision, (p_filter->>'duration_from')::bigint, (p_filter->>'duration_to')::bigint, p_user, p_country,
      access, missing, paying, favoriter,
      coalesce((p_filter->>'id_from')::bigint, 0), coalesce((p_filter->>'id_to')::bigint, 9223372036854775807), rest, names;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    IF source.turn > 0 THEN
      missing := missing - found_here;
      EXIT WHEN missing <= 0;
      searched := source.turn;
      -- Planning costs as much as looking up. Matches this rare will not fill the page in the next range either.
      IF searched = 1 AND found_here < few_in * (SELECT c.reltuples FROM pg_class c WHERE c.oid = to_regclass(source.name)) THEN
        planned_ranges := 1;
      END IF;
      rest_from := CASE WHEN p_ascending THEN source.to_id ELSE p_from END;
      rest_to := CASE WHEN p_ascending THEN p_to ELSE source.from_id END;
    END IF;
  END LOOP;
  IF NOT listed OR by_index IS NULL OR missing <= 0 THEN
    RETURN;
  END IF;
  IF searched = 0 THEN
    RETURN QUERY SELECT * FROM walk_tracks(p_user, p_country, paying, p_filter, by_index, looked_up, rest, p_words, p_from, p_to,
      p_ascending, p_limit);
    RETURN;
  END IF;
  LOOP
    next_ranges := least(2 * searched, CASE WHEN found_here > 0 THEN greatest(1, round(missing::float8 * next_ranges / found_here)) END);
    SELECT min(r.from_id) AS from_id, max(r.to_id) AS to_id INTO source FROM (
      SELECT from_id, to_id FROM track_search_ranges WHERE from_id < rest_to AND to_id > rest_from
      ORDER BY CASE WHEN p_ascending THEN from_id ELSE -from_id END LIMIT next_ranges) r;
    EXIT WHEN source.from_id IS NULL;
    RETURN QUERY SELECT * FROM walk_tracks(p_user, p_country, paying, p_filter, by_index, looked_up, rest, p_words,
      greatest(source.from_id, rest_from), least(source.to_id, rest_to), p_ascending, missing);
    GET DIAGNOSTICS found_here = ROW_COUNT;
    missing := missing - found_here;
    EXIT WHEN missing <= 0;
    searched := searched + next_ranges;
    rest_from := CASE WHEN p_ascending THEN source.to_id ELSE rest_from END;
    rest_to := CASE WHEN p_ascending THEN rest_to ELSE source.from_id END;
  END LOOP;
END $$;
