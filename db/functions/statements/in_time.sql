-- Returns its first argument, or raises SL000 after the deadline, which rolls back the whole statement. `p_sent_at` is
-- the caller's estimate of this clock. DETAIL holds the true time in milliseconds since 1970, to correct the estimate.
CREATE OR REPLACE FUNCTION in_time(p_result anyelement, p_sent_at timestamptz, p_within interval) RETURNS anyelement
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF clock_timestamp() > p_sent_at + p_within OR statement_timestamp() < p_sent_at - interval '1 second' THEN
    RAISE EXCEPTION 'the statement ended after its deadline' USING ERRCODE = 'SL000',
      DETAIL = round(extract(epoch FROM clock_timestamp()) * 1000)::text;
  END IF;
  RETURN p_result;
END $$;
