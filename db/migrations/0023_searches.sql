-- Searches that go on past the newest ranges look into many at once, by statements whose plans are kept: to plan for each
-- range took ten times as long as to look into it.

-- Words of listed tracks, for a prefix to be searched as the whole words that begin so: of these GIN reads only the places that
-- match, of a prefix all. What no word begins with is found nowhere. A word may stand here twice, or longer than any track
-- has it; a unique index would make writers wait for each other.
CREATE TABLE search_words (word text COLLATE "C" NOT NULL);
CREATE INDEX search_words_word_idx ON search_words (word);

CREATE FUNCTION learn_words_v1(p_document tsvector) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words
  SELECT lexeme FROM unnest(tsvector_to_array(p_document)) lexeme
  WHERE lexeme NOT LIKE ':%' AND NOT EXISTS (SELECT FROM search_words w WHERE w.word = lexeme)
$$;

CREATE OR REPLACE FUNCTION index_track_v1(t tracks) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner users;
  listed boolean;
  document tsvector;
BEGIN
  SELECT * INTO owner FROM users WHERE id = t.user_id;
  listed := t.sharing = 'public' AND t.state <> 'failed' AND owner.disabled_at IS NULL;
  document := track_document_v1(t, owner.username);
  IF listed THEN
    PERFORM learn_words_v1(document);
    DELETE FROM track_search_unlisted WHERE id = t.id;
    INSERT INTO track_search AS s VALUES (t.id, t.user_id, t.bpm, t.duration_ms, document)
    ON CONFLICT (id) DO UPDATE SET bpm = excluded.bpm, duration_ms = excluded.duration_ms, document = excluded.document;
  ELSE
    DELETE FROM track_search WHERE id = t.id;
    INSERT INTO track_search_unlisted AS s
    VALUES (t.id, t.user_id, t.sharing = 'public', t.bpm, t.duration_ms, document)
    ON CONFLICT (id) DO UPDATE SET public = excluded.public, bpm = excluded.bpm, duration_ms = excluded.duration_ms,
      document = excluded.document;
  END IF;
END $$;

INSERT INTO search_words SELECT word FROM ts_stat('SELECT document FROM track_search') WHERE word NOT LIKE ':%';

-- The whole words that a prefix stands for, as text of a query; the prefix itself where they are many, NULL where there is none.
CREATE FUNCTION known_words_v1(p_prefix text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  many CONSTANT integer := 32;
  beginning text := (tsvector_to_array(left(p_prefix, -2)::tsvector))[1];
  words text[] := ARRAY(SELECT DISTINCT w.word FROM search_words w
    WHERE w.word >= beginning AND w.word < beginning || U&'\+10FFFF' ORDER BY w.word LIMIT many + 1);
BEGIN
  RETURN CASE WHEN cardinality(words) > many THEN p_prefix ELSE (
    SELECT '(' || string_agg(array_to_tsvector(ARRAY[word])::text, ' | ') || ')' FROM unnest(words) word) END;
END $$;

-- The parts of a query that must all match, with known words for prefixes; NULL for what matches no listed track. It is taken
-- apart as PostgreSQL prints it: lexemes in quotes, and parentheses only where they are needed.
CREATE FUNCTION search_parts_v1(p_query tsquery) RETURNS tsquery[] LANGUAGE sql STABLE AS $$
  WITH tokens AS (
    SELECT place, found[1] AS token
    FROM regexp_matches(p_query::text, $re$('(?:[^'\\]|''|\\.)*'(?::\*)?|[()|&]|[^'()|&]+)$re$, 'g')
      WITH ORDINALITY AS t(found, place)
  ), nested AS (
    SELECT *, sum(CASE token WHEN '(' THEN 1 WHEN ')' THEN -1 ELSE 0 END) OVER (ORDER BY place) = 0 AS outermost FROM tokens
  ), numbered AS (
    SELECT *, outermost AND token = '&' AND NOT EXISTS (SELECT FROM nested WHERE outermost AND token = '|') AS ends FROM nested
  ), known AS (
    SELECT place, ends, sum(ends::integer) OVER (ORDER BY place) AS part,
      CASE WHEN token LIKE '''%'':*' THEN known_words_v1(token) ELSE token END AS token FROM numbered
  )
  SELECT array_agg(text::tsquery) FROM (
    SELECT CASE WHEN bool_and(token IS NOT NULL) THEN string_agg(token, '' ORDER BY place) END AS text
    FROM known WHERE NOT ends GROUP BY part) parts
$$;

-- All of them.
CREATE FUNCTION all_of_v1(p_parts tsquery[]) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('(' || part::text || ')', ' & ')::tsquery FROM unnest(p_parts) part
$$;

-- By which index ranges are looked into: of what is asked, by what is rarest in a sample of `p_range`. NULL where there is none.
CREATE FUNCTION rarest_index_v1(p_filter jsonb, p_query tsquery, p_range text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  by_bpm boolean := p_filter ?| ARRAY['bpm_from', 'bpm_to'];
  by_duration boolean := p_filter ?| ARRAY['duration_from', 'duration_to'];
  rarest text := CASE WHEN p_query IS NOT NULL THEN 'document' WHEN by_bpm THEN 'bpm' WHEN by_duration THEN 'duration' END;
BEGIN
  IF (p_query IS NOT NULL)::integer + by_bpm::integer + by_duration::integer > 1 THEN
    EXECUTE format($sample$
      SELECT index FROM (
        SELECT count(*) FILTER (WHERE s.document @@ $1) AS documents,
          count(*) FILTER (WHERE s.bpm BETWEEN $4 AND $5) AS bpms,
          count(*) FILTER (WHERE s.duration_ms BETWEEN $6 AND $7) AS durations
        FROM (SELECT * FROM %I ORDER BY id DESC LIMIT 200) s) c,
        LATERAL (VALUES ('document', $1 IS NOT NULL, documents), ('bpm', $2, bpms), ('duration', $3, durations))
          i(index, asked, found)
      WHERE asked ORDER BY found LIMIT 1 $sample$, p_range) INTO rarest
    USING p_query, by_bpm, by_duration,
      coalesce((p_filter->>'bpm_from')::real, '-Infinity'), coalesce((p_filter->>'bpm_to')::real, 'Infinity'),
      coalesce((p_filter->>'duration_from')::bigint, 0), coalesce((p_filter->>'duration_to')::bigint, 9223372036854775807);
  END IF;
  RETURN rarest;
END $$;

-- `track_access_v1` of a listed track.
CREATE FUNCTION listed_track_access_v1(p_id bigint, p_user bigint, p_country text, p_paying boolean) RETURNS text
LANGUAGE sql STABLE COST 1 AS $$
  SELECT track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user, t.sharing = 'private', t.streamable,
    t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE, t.paywall, p_paying)
  FROM tracks t JOIN users o ON o.id = t.user_id WHERE t.id = p_id
$$;

-- What a filter asks of a listed track, null where it asks nothing.
CREATE FUNCTION listed_track_fits_v1(
  s track_search, p_query tsquery, p_bpm_from real, p_bpm_to real, p_duration_from bigint, p_duration_to bigint,
  p_access text[], p_user bigint, p_country text, p_paying boolean
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (p_query IS NULL OR ts_match_vq(s.document, p_query))
    AND (p_bpm_from IS NULL OR s.bpm >= p_bpm_from) AND (p_bpm_to IS NULL OR s.bpm <= p_bpm_to)
    AND (p_duration_from IS NULL OR s.duration_ms >= p_duration_from)
    AND (p_duration_to IS NULL OR s.duration_ms <= p_duration_to)
    AND (p_access IS NULL OR listed_track_access_v1(s.id, p_user, p_country, p_paying) = ANY (p_access))
$$;

-- Listed tracks that fit the filter, of all ranges from `p_from` to below `p_to`, by the index that is named; what
-- `find_tracks_v1` returns. One plan for whatever is asked: what is not looked up is compared row by row. The planner must not
-- look up the ids as well, which pick the ranges and leave all that is in them. It would, taking any two bounds for narrow:
-- so they are written such that it sees no pair, and pages are reckoned to cost nothing.
CREATE FUNCTION walk_tracks_v1(
  p_user bigint, p_country text, p_paying boolean, p_filter jsonb, p_by_index text, p_looked_up tsquery, p_rest tsquery,
  p_words tsquery, p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET seq_page_cost = 0 SET random_page_cost = 0 AS $$
DECLARE
  owner bigint := (p_filter->>'owner')::bigint;
  liker bigint := (p_filter->>'favored_by')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  access text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  bpm_from real := (p_filter->>'bpm_from')::real;
  bpm_to real := (p_filter->>'bpm_to')::real;
  duration_from bigint := (p_filter->>'duration_from')::bigint;
  duration_to bigint := (p_filter->>'duration_to')::bigint;
  id_from bigint := coalesce((p_filter->>'id_from')::bigint, 0);
  id_to bigint := coalesce((p_filter->>'id_to')::bigint, 9223372036854775807);
  query tsquery := both_v1(p_looked_up, p_rest);
BEGIN
  CASE p_by_index
  WHEN 'document' THEN
    RETURN QUERY SELECT s.id, ts_rank(s.document, p_words) FROM track_search s
    WHERE s.document @@ p_looked_up AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits_v1(s, p_rest, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'bpm' THEN
    RETURN QUERY SELECT s.id, ts_rank(s.document, p_words) FROM track_search s
    WHERE s.bpm >= coalesce(bpm_from, '-Infinity') AND s.bpm <= coalesce(bpm_to, 'Infinity')
      AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits_v1(s, query, NULL, NULL, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'duration' THEN
    RETURN QUERY SELECT s.id, ts_rank(s.document, p_words) FROM track_search s
    WHERE s.duration_ms >= coalesce(duration_from, 0) AND s.duration_ms <= coalesce(duration_to, 9223372036854775807)
      AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits_v1(s, query, bpm_from, bpm_to, NULL, NULL, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'id' THEN
    RETURN QUERY SELECT s.id, ts_rank(s.document, p_words) FROM track_search s
    WHERE s.id = ANY (ids) AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND (owner IS NULL OR s.user_id = owner)
      AND listed_track_fits_v1(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'owner' THEN
    RETURN QUERY SELECT s.id, ts_rank(s.document, p_words) FROM track_search s
    WHERE s.user_id = owner AND s.id >= ANY (ARRAY[p_from]) AND s.id < ANY (ARRAY[p_to])
      AND listed_track_fits_v1(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY CASE WHEN p_ascending THEN s.id ELSE -s.id END LIMIT p_limit;
  WHEN 'like' THEN
    RETURN QUERY SELECT f.id, ts_rank(s.document, p_words)
    FROM favorites f, LATERAL (SELECT * FROM track_search s WHERE s.id = f.track_id OFFSET 0) s
    WHERE f.user_id = liker AND f.id >= p_from AND f.id < p_to AND s.id >= id_from AND s.id < id_to
      AND (owner IS NULL OR s.user_id = owner) AND (ids IS NULL OR s.id = ANY (ids))
      AND listed_track_fits_v1(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY f.id DESC LIMIT p_limit;
  WHEN 'like, oldest first' THEN
    RETURN QUERY SELECT f.id, ts_rank(s.document, p_words)
    FROM favorites f, LATERAL (SELECT * FROM track_search s WHERE s.id = f.track_id OFFSET 0) s
    WHERE f.user_id = liker AND f.id >= p_from AND f.id < p_to AND s.id >= id_from AND s.id < id_to
      AND (owner IS NULL OR s.user_id = owner) AND (ids IS NULL OR s.id = ANY (ids))
      AND listed_track_fits_v1(s, query, bpm_from, bpm_to, duration_from, duration_to, access, p_user, p_country, p_paying)
    ORDER BY f.id LIMIT p_limit;
  END CASE;
END $$;

-- Tracks that fit the filter and are for this caller, from `p_from` to below `p_to`: the first `p_limit` in order of place,
-- and perhaps more; with their rank where `p_words` is given. The place is the track's id, or in a list of favorites that of
-- the like. In the first ranges the planner sees the statistics and the values themselves: what is rare it finds by an
-- index, what is common by walking the ids. What they do not fill a page with is no longer common, and older ranges are
-- looked into several at once, as many as seem needed. Pages are in memory or on flash: reckoned as on a turning disk, what
-- one in a hundred has would be walked to, at up to three times the cost.
CREATE OR REPLACE FUNCTION find_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  planned_ranges CONSTANT integer := 2;
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
  prefixes tsquery := (SELECT all_of_v1(array_agg(part)) FROM unnest(parts) part WHERE part::text LIKE '%:*%');
  others tsquery := (SELECT all_of_v1(array_agg(part)) FROM unnest(parts) part WHERE part::text NOT LIKE '%:*%');
  looked_up tsquery := coalesce(others, prefixes);
  rest tsquery := CASE WHEN others IS NOT NULL THEN prefixes END;
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
    WHERE NOT few AND p_user IS NOT NULL
    UNION ALL
    (SELECT 'track_search_' || from_id, 'true', from_id, to_id,
      row_number() OVER (ORDER BY CASE WHEN p_ascending THEN from_id ELSE -from_id END)
    FROM track_search_ranges WHERE listed AND by_index IS NULL AND from_id < p_to AND to_id > p_from)
    ORDER BY turn
  LOOP
    IF source.turn > planned_ranges THEN
      IF source.turn = planned_ranges + 1 THEN
        by_index := rarest_index_v1(p_filter, looked_up, source.name);
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
    ahead := least(2 * walked, CASE WHEN found_here > 0 THEN ceil(missing::float8 * ahead / found_here) END);
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

-- A page of users: of all, or of those whom `owner` follows, or who follow `owner`, or who like or repost `track` or `playlist`,
-- as `relation` says, newest first; searched by words, the best of the newest thousand come before the rest. `p_page` holds
-- `limit`, `offset`, and where the page before ended, as `list_tracks_v1` has it; `next` is the same of this page, null where
-- nothing follows.
CREATE FUNCTION list_users_v2(
  p_session bigint, p_client text, p_user bigint, p_filter jsonb, p_page jsonb, p_secret_hash bytea
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  track bigint := (p_filter->>'track')::bigint;
  playlist bigint := (p_filter->>'playlist')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  words tsquery := CASE WHEN p_filter ? 'words' THEN search_words_v1(p_filter) END;
  few bigint[];
  page_limit integer := (p_page->>'limit')::integer;
  skipped integer := coalesce((p_page->>'offset')::integer, 0);
  wanted integer := page_limit + skipped + 1;
  after_id bigint := coalesce((p_page->>'id')::bigint, 9223372036854775807);
  after_rank real := (p_page->>'rank')::real;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  statement text;
  found bigint[] := '{}';
  places bigint[] := '{}';
  ranks real[] := '{}';
  rest record;
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF owner IS NOT NULL AND NOT user_exists_v1(owner) OR track IS NOT NULL AND NOT EXISTS (
      SELECT FROM tracks t WHERE t.id = track AND track_access_v1(t, p_user, p_secret_hash, NULL) <> 'none')
    OR playlist IS NOT NULL AND NOT EXISTS (
      SELECT FROM playlists p WHERE p.id = playlist AND playlist_is_visible_v1(p, p_user, p_secret_hash)) THEN
    RETURN json_build_object('auth_ok', true, 'found', false);
  END IF;
  -- Punctuation alone is no word, and is found nowhere.
  IF p_filter ? 'words' AND words IS NULL THEN
    RETURN json_build_object('auth_ok', true, 'found', true, 'users', user_rows_v1(p_user, '{}'));
  END IF;
  -- One follows few enough to look at them all.
  IF words IS NOT NULL AND p_filter->>'relation' IS DISTINCT FROM 'followings' THEN
    few := find_few_users_v1(words);
  END IF;
  statement := 'SELECT coalesce(array_agg(id), ''{}'') AS found, coalesce(array_agg(place), ''{}'') AS places,
      coalesce(array_agg(rank), ''{}'') AS ranks
    FROM (SELECT f.id AS place, u.id, ts_rank(u.document, $4) AS rank FROM ' || CASE p_filter->>'relation'
      WHEN 'followings' THEN 'followings f JOIN users u ON u.id = f.followee_id WHERE f.user_id = $1'
      WHEN 'followers' THEN 'followings f JOIN users u ON u.id = f.user_id WHERE f.followee_id = $1'
      WHEN 'favoriters' THEN 'favorites f JOIN users u ON u.id = f.user_id WHERE f.track_id = $1'
      WHEN 'reposters' THEN 'reposts f JOIN users u ON u.id = f.user_id WHERE f.track_id = $1'
      WHEN 'playlist_favoriters' THEN 'playlist_likes f JOIN users u ON u.id = f.user_id WHERE f.playlist_id = $1'
      WHEN 'playlist_reposters' THEN 'playlist_reposts f JOIN users u ON u.id = f.user_id WHERE f.playlist_id = $1'
      ELSE 'users u, LATERAL (SELECT u.id) f WHERE true' END
    || ' AND f.id >= $2 AND f.id < $3 AND u.disabled_at IS NULL'
    || CASE WHEN ids IS NOT NULL THEN ' AND u.id = ANY ($5)' ELSE '' END
    || CASE WHEN few IS NOT NULL THEN ' AND u.id = ANY ($6)' WHEN words IS NOT NULL THEN ' AND u.document @@ $4' ELSE '' END
    || ' ORDER BY place DESC LIMIT $7) page';

  IF words IS NOT NULL AND (low IS NULL OR after_rank IS NOT NULL) THEN
    EXECUTE statement INTO found, places, ranks USING coalesce(owner, track, playlist), coalesce(low, 0),
      coalesce(high + 1, 9223372036854775807), words, ids, few, ranked_at_most;
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
  -- Newest first, or what is below all that is ranked.
  IF cardinality(found) < wanted AND after_id > 0 THEN
    EXECUTE statement INTO rest USING coalesce(owner, track, playlist), 0::bigint, after_id, words, ids, few,
      wanted - cardinality(found);
    found := found || rest.found;
    places := places || rest.places;
  END IF;
  RETURN json_build_object('auth_ok', true, 'found', true,
    'users', user_rows_v1(p_user, found[skipped + 1 : wanted - 1]),
    'next', CASE WHEN cardinality(found) >= wanted THEN json_strip_nulls(json_build_object(
      'id', places[wanted - 1], 'rank', ranks[wanted - 1], 'low', low, 'high', high)) END);
END $$;
