-- Lists the operators, and whether each has set up the second factor.
CREATE OR REPLACE FUNCTION list_operators() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('id', u.id, 'username', u.username, 'added_at', o.added_at,
    'enrolled_at', o.enrolled_at, 'code_expires_at', o.code_expires_at, 'recovery_codes', cardinality(o.recovery_hashes)) ORDER BY o.added_at), '[]')
  FROM operators o JOIN users u ON u.id = o.user_id
$$;
