-- Lists dead letters, newest first, below `p_before`.
CREATE OR REPLACE FUNCTION list_dead_letters(p_before bigint, p_limit integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_agg(dead_letter_row(f.d) ORDER BY (f.d).id DESC), '[]') FROM (
    SELECT d FROM dead_letters d WHERE d.id < coalesce(p_before, 9223372036854775807) ORDER BY d.id DESC LIMIT p_limit) f);
END $$;
