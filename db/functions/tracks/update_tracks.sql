-- Changes columns of several tracks and says for each what came of it. Each tag in `p_added` and `p_removed` is written as in a
-- tag list; those removed are lower case. A refused track hinders no other.
CREATE OR REPLACE FUNCTION update_tracks(
  p_session bigint, p_client text, p_user bigint, p_ids bigint[], p_changes jsonb, p_added text[], p_removed text[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  most_tags CONSTANT integer := 100;
  most_characters CONSTANT integer := 2000;
  outcomes jsonb := '[]';
  stored record;
  changes jsonb;
  tags text[];
BEGIN
  PERFORM require_session(p_session, p_client, p_user);
  -- All locks are taken in one order, so that two such calls wait for each other instead of meeting half-way. They are those that
  -- a change of visibility needs: plays lock several tracks by their keys, in the same order.
  PERFORM FROM tracks t WHERE t.id = ANY (p_ids) AND t.user_id = p_user ORDER BY t.id FOR UPDATE;
  FOR stored IN
    SELECT n.id, t.title, coalesce(p_changes->>'tag_list', t.tag_list) AS tag_list
    FROM unnest(p_ids) WITH ORDINALITY AS n(id, place) LEFT JOIN tracks t ON t.id = n.id AND t.user_id = p_user ORDER BY n.place
  LOOP
    changes := p_changes;
    IF cardinality(p_added) + cardinality(p_removed) > 0 THEN
      tags := ARRAY(SELECT w.tag FROM (
          SELECT f.written[1] AS tag, f.place FROM regexp_matches(stored.tag_list, '((?:[^\s"]|"[^"]*(?:"|$))+)', 'g') WITH ORDINALITY AS f(written, place)
          UNION ALL SELECT a.tag, a.place + 1000000 FROM unnest(p_added) WITH ORDINALITY AS a(tag, place)) w
        WHERE lower(w.tag) <> ALL (p_removed) GROUP BY w.tag ORDER BY min(w.place));
      changes := changes || jsonb_build_object('tag_list', array_to_string(tags, ' '));
    END IF;
    outcomes := outcomes || jsonb_build_object('id', stored.id, 'title', stored.title, 'outcome',
      CASE WHEN cardinality(tags) > most_tags OR length(changes->>'tag_list') > most_characters THEN 'too_many_tags'
        ELSE update_track(p_session, p_client, p_user, stored.id, changes, NULL, p_shows => false)->>'outcome' END);
  END LOOP;
  RETURN jsonb_build_object('outcome', 'done', 'tracks', outcomes);
END $$;
