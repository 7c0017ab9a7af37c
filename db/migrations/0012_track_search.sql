-- What lists of tracks are filtered and searched by. Rows follow `tracks` and `users` by triggers, in the same transaction.

-- Case, accents and letter forms that people do not tell apart. In SQL alone: `unaccent` may not be there, and is not immutable.
CREATE FUNCTION search_fold_v1(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p_text, NFKD), U&'[\0300-\036F]', '', 'g') COLLATE pg_c_utf8),
    'øłđðıς', 'olddiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- Words with single blanks between: PostgreSQL's parser would read `AC/DC` as a path and `R.E.M` as a host.
CREATE FUNCTION search_text_v1(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(search_fold_v1(p_text) COLLATE pg_c_utf8, '[[:punct:][:space:][:cntrl:]]+', ' ', 'g'))
$$;

-- A lexeme that stands for a whole value. No word of a text begins with a colon. Lexemes may have 2,046 bytes.
CREATE FUNCTION search_label_v1(p_kind text, p_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ':' || p_kind || '=' || left(btrim(regexp_replace(search_fold_v1(p_value), '\s+', ' ', 'g')), 200)
$$;

-- Blanks part tags; double quotes hold a tag together, and so a machine tag's value.
CREATE FUNCTION tags_of_v1(p_tag_list text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tag FROM (
    SELECT btrim(replace(found[1], '"', '')) AS tag FROM regexp_matches(p_tag_list, '((?:[^\s"]|"[^"]*(?:"|$))+)', 'g') found) t
  WHERE tag <> ''
$$;

-- Words by weight (A title, username and artist; B genre and tags; D description), then labels. The separator, deleted in
-- the end, keeps a phrase from matching across two fields.
CREATE FUNCTION track_document_v1(t tracks, p_username text) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT ts_delete(
      setweight(to_tsvector('simple', search_text_v1(concat_ws(' xseparatorx ', t.title, p_username, t.artist, ''))), 'A')
      || setweight(to_tsvector('simple', search_text_v1(concat_ws(' xseparatorx ', t.genre,
        (SELECT string_agg(tag, ' xseparatorx ') FROM tags_of_v1(t.tag_list) tag), ''))), 'B')
      || to_tsvector('simple', search_text_v1(regexp_replace(coalesce(t.description, ''), '<[^>]*>|&[a-z0-9#]+;', ' ', 'gi'))),
    'xseparatorx')
    || array_to_tsvector(array_remove(ARRAY[
      search_label_v1('genre', t.genre), search_label_v1('license', t.license), search_label_v1('type', t.track_type),
      CASE WHEN NOT t.streamable THEN ':unstreamable' END,
      CASE WHEN t.available_country_codes IS NOT NULL THEN ':countries' END,
      search_label_v1('paywall', t.paywall)], NULL)
      || ARRAY(SELECT search_label_v1('country', code) FROM unnest(t.available_country_codes) code)
      || ARRAY(SELECT search_label_v1('tag', tag) FROM tags_of_v1(t.tag_list) tag))
$$;

-- What everybody may find, by ranges of ids: a walk from the newest range to the oldest stops when its page is full, so
-- that what is common costs no more in a big table than in a small one.
CREATE TABLE track_search (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  bpm real,
  duration_ms bigint,
  document tsvector NOT NULL,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE INDEX track_search_document_idx ON track_search USING gin (document) WITH (fastupdate = off);
CREATE INDEX track_search_user_id_idx ON track_search (user_id, id);
CREATE INDEX track_search_bpm_idx ON track_search (bpm, id);
CREATE INDEX track_search_duration_ms_idx ON track_search (duration_ms, id);

-- A partition `track_search_<from_id>` each; the last one has no end.
CREATE TABLE track_search_ranges (
  from_id bigint PRIMARY KEY,
  to_id bigint NOT NULL
);
CREATE TABLE track_search_0 PARTITION OF track_search FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO track_search_ranges VALUES (0, 9223372036854775807);

-- What only its owner finds: private, failed, or of an account that was left. An owner has few of them.
CREATE TABLE track_search_unlisted (
  id bigint PRIMARY KEY,
  user_id bigint NOT NULL,
  public boolean NOT NULL,
  bpm real,
  duration_ms bigint,
  document tsvector NOT NULL
);
CREATE INDEX track_search_unlisted_user_id_idx ON track_search_unlisted (user_id, id);

CREATE FUNCTION index_track_v1(t tracks) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner users;
  listed boolean;
BEGIN
  SELECT * INTO owner FROM users WHERE id = t.user_id;
  listed := t.sharing = 'public' AND t.state <> 'failed' AND owner.disabled_at IS NULL;
  IF listed THEN
    DELETE FROM track_search_unlisted WHERE id = t.id;
    INSERT INTO track_search AS s VALUES (t.id, t.user_id, t.bpm, t.duration_ms, track_document_v1(t, owner.username))
    ON CONFLICT (id) DO UPDATE SET bpm = excluded.bpm, duration_ms = excluded.duration_ms, document = excluded.document;
  ELSE
    DELETE FROM track_search WHERE id = t.id;
    INSERT INTO track_search_unlisted AS s
    VALUES (t.id, t.user_id, t.sharing = 'public', t.bpm, t.duration_ms, track_document_v1(t, owner.username))
    ON CONFLICT (id) DO UPDATE SET public = excluded.public, bpm = excluded.bpm, duration_ms = excluded.duration_ms,
      document = excluded.document;
  END IF;
END $$;

CREATE FUNCTION index_changed_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM track_search WHERE id = old.id;
    DELETE FROM track_search_unlisted WHERE id = old.id;
  ELSE
    PERFORM index_track_v1(new);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER tracks_are_indexed AFTER INSERT OR DELETE OR UPDATE OF
  title, artist, description, genre, tag_list, track_type, license, sharing, state, streamable, paywall,
  available_country_codes, bpm, duration_ms
ON tracks FOR EACH ROW EXECUTE FUNCTION index_changed_track();

CREATE FUNCTION index_tracks_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_track_v1(t) FROM tracks t WHERE t.user_id = new.id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_tracks_are_indexed AFTER UPDATE OF username, disabled_at ON users FOR EACH ROW
WHEN (old.username IS DISTINCT FROM new.username OR (old.disabled_at IS NULL) <> (new.disabled_at IS NULL))
EXECUTE FUNCTION index_tracks_of_changed_user();

SELECT index_track_v1(t) FROM tracks t;

-- Ends the last range at `p_id`, above all that is in it, and opens the next. Nothing depends on when: until then the last
-- range only grows. As the owner, for the service itself may not change the schema.
CREATE FUNCTION cut_track_search_v1(p_id bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  last_from bigint;
  last_name text;
  starts text;
BEGIN
  LOCK TABLE track_search IN ACCESS EXCLUSIVE MODE;
  SELECT from_id INTO last_from FROM track_search_ranges ORDER BY from_id DESC LIMIT 1;
  IF p_id <= last_from OR EXISTS (SELECT FROM track_search WHERE id >= p_id) THEN
    RETURN;
  END IF;
  last_name := 'track_search_' || last_from;
  starts := CASE WHEN last_from = 0 THEN 'MINVALUE' ELSE last_from::text END;
  EXECUTE format('ALTER TABLE track_search DETACH PARTITION %I', last_name);
  EXECUTE format('ALTER TABLE track_search ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', last_name, starts, p_id);
  EXECUTE format('CREATE TABLE %I PARTITION OF track_search FOR VALUES FROM (%s) TO (MAXVALUE)', 'track_search_' || p_id, p_id);
  UPDATE track_search_ranges SET to_id = p_id WHERE from_id = last_from;
  INSERT INTO track_search_ranges VALUES (p_id, 9223372036854775807);
END $$;

-- Called by the sweep: when the last range holds `p_rows`, the next begins with what comes now.
CREATE FUNCTION extend_track_search_v1(p_rows integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  last_from bigint;
  newest bigint;
BEGIN
  SELECT from_id INTO last_from FROM track_search_ranges ORDER BY from_id DESC LIMIT 1;
  PERFORM FROM track_search WHERE id >= last_from OFFSET p_rows - 1 LIMIT 1;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT max(id) INTO newest FROM track_search WHERE id >= last_from;
  PERFORM cut_track_search_v1(greatest(newest + 1, next_id()));
  RETURN true;
END $$;

-- One word of a search, as a prefix; or a phrase, as it is. NULL where there is no letter or digit in it. What is cast was
-- printed by PostgreSQL itself, never typed by anyone.
CREATE FUNCTION search_term_v1(p_text text, p_prefix boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN numnode(phrase) > 0 THEN (phrase::text || CASE WHEN p_prefix THEN ':*' ELSE '' END)::tsquery END
  FROM (SELECT CASE WHEN words <> '' THEN phraseto_tsquery('simple', words) END AS phrase
    FROM (SELECT search_text_v1(p_text) AS words) w) p
$$;

-- Every word and every phrase; what is no word matches nothing.
CREATE FUNCTION search_words_v1(p_filter jsonb) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('(' || term::text || ')', ' & ')::tsquery FROM (
    SELECT search_term_v1(word, true) AS term FROM jsonb_array_elements_text(p_filter->'words') word
    UNION ALL
    SELECT search_term_v1(phrase, false) FROM jsonb_array_elements_text(p_filter->'phrases') phrase) t
  WHERE term IS NOT NULL
$$;

-- Any of a filter's values. NULL where the filter is not there.
CREATE FUNCTION search_any_label_v1(p_kind text, p_values jsonb) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg('''' || replace(replace(search_label_v1(p_kind, value), '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
  FROM jsonb_array_elements_text(p_values) value
$$;

-- The few rows that are blocked, or previews, for who does not own them: `track_access_rule_v1` by labels, for an index. NULL
-- where what is playable is wanted as well: that is most.
CREATE FUNCTION search_access_v1(p_access jsonb, p_country text, p_paying boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_access IS NOT NULL AND NOT p_access ? 'playable' THEN (
    SELECT coalesce(string_agg(part, ' | '), ''':nothing''')::tsquery FROM (
      SELECT blocked AS part WHERE p_access ? 'blocked'
      UNION ALL
      SELECT format('(!(%s) & '':paywall=preview'')', blocked) WHERE p_access ? 'preview' AND NOT p_paying) parts) END
  FROM (SELECT concat_ws(' | ', ''':unstreamable''', CASE WHEN NOT p_paying THEN ''':paywall=blocked''' END,
    '('':countries''' || coalesce(' & !' || search_any_label_v1('country', jsonb_build_array(p_country))::text, '') || ')') AS blocked) b
$$;

CREATE FUNCTION both_v1(a tsquery, b tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN a IS NULL THEN b WHEN b IS NULL THEN a ELSE a && b END
$$;

-- Tracks that fit the filter and are for this caller, from `p_from` to below `p_to`: the first `p_limit` in order of place,
-- and perhaps more; with their rank where `p_words` is given. The place is the track's id, or in a list of favorites that of
-- the like. The planner sees each range's own statistics and the values themselves: what is rare it finds by an index, what
-- is common by walking the ids. Pages are in memory or on flash: reckoned as on a turning disk, what one in a hundred has
-- would be walked to, at up to three times the cost.
CREATE FUNCTION find_tracks_v1(
  p_user bigint, p_country text, p_filter jsonb, p_words tsquery, p_labels tsquery,
  p_from bigint, p_to bigint, p_ascending boolean, p_limit integer
) RETURNS TABLE (place bigint, rank real) LANGUAGE plpgsql STABLE SET random_page_cost = 1.1 AS $$
DECLARE
  owner bigint := (p_filter->>'owner')::bigint;
  ids bigint[] := CASE WHEN p_filter ? 'ids' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'ids')::bigint) END;
  access text[] := CASE WHEN p_filter ? 'access' THEN ARRAY(SELECT jsonb_array_elements_text(p_filter->'access')) END;
  sharing text := p_filter->>'sharing';
  liker bigint := (p_filter->>'favored_by')::bigint;
  query tsquery := both_v1(p_words, p_labels);
  -- By ids, or of one owner, there are few: no need to walk the ranges.
  few boolean := liker IS NULL AND query IS NULL AND sharing IS DISTINCT FROM 'private' AND (ids IS NOT NULL OR owner IS NOT NULL);
  statement text := CASE WHEN p_words IS NULL THEN 'SELECT r.place, NULL::real'
      ELSE 'SELECT r.place, ts_rank(r.document, $6) FROM (SELECT r.place, r.document' END
    || CASE WHEN liker IS NULL THEN ' FROM (SELECT s.id AS place, s.* FROM %I s) r'
      ELSE ' FROM (SELECT f.id AS place, s.* FROM favorites f JOIN %I s ON s.id = f.track_id WHERE f.user_id = $16) r' END
    || ' WHERE %s AND r.place >= $1 AND r.place < $2'
    || CASE WHEN liker IS NOT NULL AND p_filter ?| ARRAY['id_from', 'id_to'] THEN ' AND r.id >= $17 AND r.id < $18' ELSE '' END
    || CASE WHEN ids IS NOT NULL THEN ' AND r.id = ANY ($3)' ELSE '' END
    || CASE WHEN owner IS NOT NULL THEN ' AND r.user_id = $4' ELSE '' END
    || CASE WHEN query IS NOT NULL THEN ' AND r.document @@ $5' ELSE '' END
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
    || ' ORDER BY r.place ' || CASE WHEN p_ascending THEN 'ASC' ELSE 'DESC' END || ' LIMIT $14'
    || CASE WHEN p_words IS NULL THEN '' ELSE ') r' END;
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  source record;
  missing integer := p_limit;
  found_here integer;
BEGIN
  FOR source IN
    SELECT 'tracks' AS name, '(r.user_id = $11 OR r.sharing = ''public'' AND r.state <> ''failed'' AND NOT EXISTS (
        SELECT FROM users u WHERE u.id = r.user_id AND u.disabled_at IS NOT NULL))'
        || CASE WHEN sharing = 'public' THEN ' AND r.sharing = ''public''' ELSE '' END AS condition,
      false AS walked, 0::bigint AS turn
    WHERE few
    UNION ALL
    SELECT 'track_search_unlisted', 'r.user_id = $11'
        || CASE sharing WHEN 'public' THEN ' AND r.public' WHEN 'private' THEN ' AND NOT r.public' ELSE '' END, false, 1
    WHERE NOT few AND p_user IS NOT NULL
    UNION ALL
    SELECT 'track_search', 'true', false, 2 WHERE liker IS NOT NULL AND sharing IS DISTINCT FROM 'private'
    UNION ALL
    SELECT 'track_search_' || from_id, 'true', true, CASE WHEN p_ascending THEN from_id ELSE -from_id END
    FROM track_search_ranges
    WHERE NOT few AND liker IS NULL AND sharing IS DISTINCT FROM 'private' AND from_id < p_to AND to_id > p_from
    ORDER BY walked, turn
  LOOP
    RETURN QUERY EXECUTE format(statement, source.name, source.condition) USING p_from, p_to, ids, owner, query, p_words,
      (p_filter->>'bpm_from')::real, (p_filter->>'bpm_to')::real, (p_filter->>'duration_from')::bigint,
      (p_filter->>'duration_to')::bigint, p_user, p_country, access, missing, paying, liker,
      coalesce((p_filter->>'id_from')::bigint, 0), coalesce((p_filter->>'id_to')::bigint, 9223372036854775807);
    GET DIAGNOSTICS found_here = ROW_COUNT;
    IF source.walked THEN
      missing := missing - found_here;
      EXIT WHEN missing <= 0;
    END IF;
  END LOOP;
END $$;

-- As `mini_user_v1` has it, of a row at hand.
CREATE FUNCTION mini_user_of_v1(u users) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('id', u.id, 'permalink', u.permalink, 'username', u.username, 'avatar_version', u.avatar_version,
    'updated_at', u.updated_at)
$$;

-- Rows of a page, in the order of `p_ids`, as an array for each column: a fraction of what an object for each row takes. `own`
-- are the reader's own, whole, and private ones, which are there only where `p_opened` names them. Of others' there stands what differs from reader to reader and from moment to moment, and the
-- body, unless the reader holds it: `p_known` is versions by id. The version is that of the very rows that the body is made
-- of, so that whatever changes them makes it new.
CREATE FUNCTION track_page_v1(
  p_user bigint, p_country text, p_ids bigint[], p_known jsonb, p_opened bigint[] DEFAULT '{}'
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  paying boolean := EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.plan <> 'free');
  favored bigint[] := CASE WHEN p_user IS NOT NULL THEN
    ARRAY(SELECT track_id FROM favorites WHERE user_id = p_user AND track_id = ANY (p_ids)) END;
BEGIN
  RETURN (
    SELECT json_build_object('ids', array_agg(r.id), 'versions', array_agg(r.version), 'access', array_agg(r.access),
      'comments', array_agg(r.comments), 'downloads', array_agg(r.downloads), 'plays', array_agg(r.plays),
      'favoritings', array_agg(r.favoritings), 'bodies', array_agg(r.body), 'own', array_agg(r.own), 'favored', favored)
    FROM (
      SELECT t.id, v.version, v.access, t.comment_count + coalesce(d.comments, 0) AS comments,
        t.download_count + coalesce(d.downloads, 0) AS downloads, t.playback_count + coalesce(d.plays, 0) AS plays,
        t.favoritings_count + coalesce(d.favoritings, 0) AS favoritings,
        CASE WHEN t.user_id = p_user OR t.sharing = 'private' THEN track_row_v1(t, p_user, v.access) END AS own,
        CASE WHEN p_known->>t.id::text IS DISTINCT FROM v.version AND t.user_id IS DISTINCT FROM p_user
            AND t.sharing = 'public' THEN (
          SELECT to_json(b) FROM (
            SELECT t.id, t.user_id, id_created_at(t.id) AS created_at, t.updated_at, t.title, t.permalink, t.artist,
              t.description, t.genre, t.tag_list, t.track_type, t.license, t.label_id, t.label_name, t.release,
              t.release_day, t.release_month, t.release_year, t.isrc, t.bpm, t.key_signature, t.purchase_url,
              t.purchase_title, t.video_url, t.artwork_version, t.sharing, t.embeddable_by, t.streamable, t.downloadable,
              t.commentable, t.available_country_codes, t.state, t.original_format, t.original_content_size,
              t.duration_ms, t.media_prefix, mini_user_of_v1(o) AS user,
              CASE WHEN l.id IS NOT NULL THEN mini_user_of_v1(l) END AS label,
              CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name, 'permalink', a.permalink,
                'external_url', a.external_url) END AS created_with) b) END AS body
      FROM unnest(p_ids) WITH ORDINALITY AS p(id, place)
      JOIN tracks t ON t.id = p.id
      JOIN users o ON o.id = t.user_id
      LEFT JOIN users l ON l.id = t.label_id
      LEFT JOIN apps a ON a.id = t.app_id AND NOT a.first_party
      LEFT JOIN (
        SELECT subject_id, sum(delta) FILTER (WHERE counter = 'comment_count') AS comments,
          sum(delta) FILTER (WHERE counter = 'download_count') AS downloads,
          sum(delta) FILTER (WHERE counter = 'playback_count') AS plays,
          sum(delta) FILTER (WHERE counter = 'favoritings_count') AS favoritings
        FROM counter_deltas WHERE subject_id = ANY (p_ids) AND kind = 'track' GROUP BY subject_id) d ON d.subject_id = t.id,
      LATERAL (SELECT concat_ws('.', t.xmin, o.xmin, l.xmin, a.xmin) AS version,
        track_access_rule_v1(o.disabled_at IS NOT NULL, t.user_id = p_user,
          t.sharing = 'private' AND t.id <> ALL (p_opened), t.streamable,
          t.available_country_codes IS NOT NULL AND (p_country = ANY (t.available_country_codes)) IS NOT TRUE,
          t.paywall, paying) AS access OFFSET 0) v
      WHERE v.access <> 'none' AND (t.state <> 'failed' OR t.user_id = p_user)
      ORDER BY p.place) r);
END $$;

-- A page of tracks, as `track_page_v1` has it for a reader who holds `p_known`. `p_page` holds `limit`, `offset`, `ascending`,
-- `ranked`, and where the page before ended: `id`, and in a ranking `rank` with the ends of what is ranked, `low` and `high`,
-- which stay while tracks come and go. `next` is the same of this page, null where nothing follows.
CREATE FUNCTION list_tracks_v1(
  p_session bigint, p_client text, p_user bigint, p_country text, p_filter jsonb, p_page jsonb, p_known jsonb
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- How many of the newest matches are ranked, so that the cost of a common word stays bounded.
  ranked_at_most CONSTANT integer := 1000;
  owner bigint := (p_filter->>'owner')::bigint;
  liker bigint := (p_filter->>'favored_by')::bigint;
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
  -- Of places: in a list of favorites it is `find_tracks_v1` that looks at the ids of tracks.
  from_id bigint := CASE WHEN liker IS NULL THEN coalesce((p_filter->>'id_from')::bigint, 0) ELSE 0 END;
  to_id bigint := coalesce(CASE WHEN liker IS NULL THEN (p_filter->>'id_to')::bigint END, 9223372036854775807);
  found bigint[] := '{}';
  page bigint[];
  ranks real[] := '{}';
BEGIN
  IF NOT session_is_live_v1(p_session, p_client, p_user) THEN
    RETURN json_build_object('auth_ok', false);
  END IF;
  IF coalesce(owner, liker) IS NOT NULL
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = coalesce(owner, liker) AND u.disabled_at IS NULL) THEN
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
    SELECT coalesce(array_agg(f.place ORDER BY f.place DESC), '{}'), coalesce(array_agg(f.rank ORDER BY f.place DESC), '{}')
    INTO found, ranks
    FROM (SELECT f.place, f.rank FROM find_tracks_v1(p_user, p_country, p_filter, words, labels, coalesce(low, from_id),
        coalesce(high + 1, to_id), false, ranked_at_most) f
      ORDER BY f.place DESC LIMIT ranked_at_most) f;
    IF low IS NULL THEN
      high := found[1];
      low := CASE WHEN cardinality(found) = ranked_at_most THEN found[ranked_at_most] ELSE from_id END;
    END IF;
    SELECT coalesce(array_agg(f.place ORDER BY f.rank DESC, f.place DESC), '{}'),
      coalesce(array_agg(f.rank ORDER BY f.rank DESC, f.place DESC), '{}')
    INTO found, ranks
    FROM unnest(found, ranks) AS f(place, rank)
    WHERE after_rank IS NULL OR (f.rank, f.place) < (after_rank, after_id);
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
    FROM (SELECT f.place FROM find_tracks_v1(p_user, p_country, p_filter, NULL, both_v1(words, labels), from_id, to_id,
        ascending, wanted - cardinality(found)) f
      ORDER BY CASE WHEN ascending THEN f.place ELSE -f.place END LIMIT wanted - cardinality(found)) f;
  END IF;

  page := found[skipped + 1 : wanted - 1];
  IF liker IS NOT NULL THEN
    SELECT array_agg(f.track_id ORDER BY array_position(page, f.id)) INTO page
    FROM favorites f WHERE f.user_id = liker AND f.id = ANY (page);
  END IF;
  RETURN json_build_object('auth_ok', true, 'owner_found', true, 'tracks', track_page_v1(p_user, p_country, page, p_known),
    'next', CASE WHEN cardinality(found) >= wanted THEN json_strip_nulls(json_build_object(
      'id', found[wanted - 1], 'rank', ranks[wanted - 1], 'low', low, 'high', high)) END);
END $$;
