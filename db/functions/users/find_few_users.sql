-- Finds users by the search index; null if there are many, because a list then soon meets enough of them. The planner
-- assumes unknown words to be common and would scan all users.
CREATE OR REPLACE FUNCTION find_few_users(p_words tsquery) RETURNS bigint[] LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  few CONSTANT integer := 5000;
  found bigint[];
BEGIN
  SELECT coalesce(array_agg(id), '{}') INTO found
  FROM (SELECT u.id FROM users u WHERE u.document @@ p_words LIMIT few + 1) u;
  RETURN CASE WHEN cardinality(found) <= few THEN found END;
END $$;
