-- Lists encoding jobs in a state, newest first, below `p_before`.
CREATE OR REPLACE FUNCTION list_jobs(p_state text, p_before bigint, p_limit integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_agg(job_for_operators(f.j) ORDER BY (f.j).track_id DESC), '[]') FROM (
    SELECT j FROM encoding_jobs j
    WHERE j.state = p_state AND j.track_id < coalesce(p_before, 9223372036854775807)
    ORDER BY j.track_id DESC LIMIT p_limit) f);
END $$;
