-- Lists users, newest first, whose id is `p_words` or whose name, permalink or address contains them, below `p_before`.
CREATE OR REPLACE FUNCTION search_users(p_words text, p_before bigint, p_limit integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  part text := '%' || replace(replace(replace(lower(p_words), '\', '\\'), '%', '\%'), '_', '\_') || '%';
BEGIN
  RETURN (
    SELECT coalesce(jsonb_agg(moderated_user(f.u) ORDER BY (f.u).id DESC), '[]') FROM (
      SELECT u FROM users u LEFT JOIN accounts a ON a.user_id = u.id
      WHERE u.id < coalesce(p_before, 9223372036854775807) AND (p_words = '' OR u.id::text = p_words
        OR lower(u.username) LIKE part OR lower(u.permalink) LIKE part OR lower(a.email) LIKE part)
      ORDER BY u.id DESC LIMIT p_limit) f);
END $$;
