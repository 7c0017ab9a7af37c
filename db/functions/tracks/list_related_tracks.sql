-- Ranks tracks by what they share: artist 3, tag 2, genre 1, then the owner's others. `p_filter` is that of
-- `find_tracks`, `p_page` holds `limit`, `offset`, `ascending` and a position. `low` and `high` fix the candidates on
-- the first page.
CREATE OR REPLACE FUNCTION list_related_tracks(
  p_session bigint, p_client text, p_user bigint, p_id bigint, p_secret_hash bytea, p_country text, p_filter jsonb,
  p_page jsonb, p_held text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  weighed_at_most CONSTANT integer := 500;
  owned_at_most CONSTANT integer := 200;
  source tracks;
  artist tsquery;
  named tsquery;
  genre tsquery;
  tags text[];
  common tsquery;
  wanted tsquery;
  ascending boolean := (p_page->>'ascending')::boolean;
  page_limit integer := (p_page->>'limit')::integer;
  low bigint := (p_page->>'low')::bigint;
  high bigint := (p_page->>'high')::bigint;
  from_id bigint := coalesce((p_filter->>'id_from')::bigint, 0);
  to_id bigint := coalesce(high + 1, (p_filter->>'id_to')::bigint, 9223372036854775807);
  alike bigint[] := '{}';
  owned bigint[];
  listed bigint[] := '{}';
  ranks integer[];
  keys bigint[];
  bounded record;
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  SELECT * INTO source FROM tracks t WHERE t.id = p_id AND track_access(t, p_user, p_secret_hash, p_country) <> 'none';
  IF NOT FOUND THEN
    RETURN json_build_object('found', false);
  END IF;
  artist := search_term(coalesce(source.artist, (SELECT username FROM users WHERE id = source.user_id)), false);
  -- Descriptions do not count: artists have common words for names, such as Air or Can. They are looked up too, because the
  -- index knows no weights: it would read every description with such a word.
  named := whole_in_names(artist);
  genre := search_any_label('genre', jsonb_build_array(source.genre));
  tags := ARRAY(SELECT search_label('tag', tag) FROM tags_of(source.tag_list) tag);
  SELECT string_agg('(' || q::text || ')', ' | ')::tsquery INTO common FROM unnest(ARRAY[artist, genre,
    search_any_label('tag', to_jsonb(ARRAY(SELECT tags_of(source.tag_list))))]) q;
  wanted := match_both(search_labels(p_filter), search_words(p_filter));

  -- Punctuation alone contains no word and matches nothing.
  IF NOT (p_filter ? 'words' AND search_words(p_filter) IS NULL) THEN
    IF common IS NOT NULL THEN
      alike := ARRAY(SELECT f.place FROM find_tracks(p_user, p_country, p_filter, NULL, match_both(common, wanted),
        coalesce(low, from_id), to_id, false, weighed_at_most) f ORDER BY f.place DESC LIMIT weighed_at_most);
    END IF;
    owned := ARRAY(SELECT t.id FROM find_tracks(p_user, p_country,
        p_filter || jsonb_build_object('owner', source.user_id, 'id_from', from_id, 'id_to', to_id), NULL, wanted,
        0, 9223372036854775807, false, owned_at_most) f
      JOIN tracks t ON t.user_id = source.user_id AND t.published_id = f.place ORDER BY t.id DESC LIMIT owned_at_most);
    low := coalesce(low, alike[weighed_at_most], from_id);
    high := coalesce(high, greatest(alike[1], owned[1]));
    SELECT array_agg(r.id ORDER BY r.rank DESC, r.key DESC), array_agg(r.rank ORDER BY r.rank DESC, r.key DESC),
      array_agg(r.key ORDER BY r.rank DESC, r.key DESC)
    INTO listed, ranks, keys
    FROM (
      SELECT s.id, w.rank, w.key
      FROM (SELECT id, document FROM track_search WHERE id = ANY (alike || owned)
          UNION ALL SELECT id, document FROM track_search_unlisted WHERE id = ANY (alike || owned)) s,
        LATERAL (SELECT CASE WHEN s.document @@ named THEN 3 ELSE 0 END + CASE WHEN s.document @@ genre THEN 1 ELSE 0 END
          + 2 * (length(s.document) - length(ts_delete(s.document, tags))) AS shared OFFSET 0) c,
        LATERAL (SELECT CASE WHEN ascending THEN -s.id ELSE s.id END AS key,
          CASE WHEN ascending IS NULL THEN c.shared ELSE 0 END AS rank OFFSET 0) w
      WHERE s.id <> p_id AND (c.shared > 0 OR s.id = ANY (owned))
        AND (NOT p_page ? 'key' OR (w.rank, w.key) < ((p_page->>'rank')::integer, (p_page->>'key')::bigint))
      ORDER BY w.rank DESC, w.key DESC OFFSET (p_page->>'offset')::integer LIMIT page_limit + 1) r;
  END IF;
  SELECT * INTO bounded FROM bounded_track_page(p_user, p_country, coalesce(listed[1 : page_limit], '{}'), p_held);
  RETURN json_build_object('found', true, 'tracks', bounded.page,
    'next', CASE WHEN cardinality(listed) > bounded.covered THEN json_build_object(
      'rank', ranks[bounded.covered], 'key', keys[bounded.covered], 'low', low, 'high', high) END);
END $$;
