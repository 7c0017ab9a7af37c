-- Users whom a search finds, by its index; null where they are many: then a list soon meets enough of them on its way. The
-- planner itself takes what it knows nothing of for common, and would read all users for a word that nobody has.
CREATE OR REPLACE FUNCTION find_few_users(p_words tsquery) RETURNS bigint[] LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  few CONSTANT integer := 5000;
  found bigint[];
BEGIN
  SELECT coalesce(array_agg(id), '{}') INTO found
  FROM (SELECT u.id FROM users u WHERE u.document @@ p_words LIMIT few + 1) u;
  RETURN CASE WHEN cardinality(found) <= few THEN found END;
END $$;
