-- Gives back its first argument, or fails with SL000 where nobody waits for it any more: the whole statement is then rolled
-- back. `p_sent_at` is this server's clock as the caller believes it to be. A statement that begins before it was sent shows
-- that the belief is wrong. DETAIL tells the true time, in milliseconds since 1970, so that the caller can mend it.
CREATE OR REPLACE FUNCTION in_time(p_result anyelement, p_sent_at timestamptz, p_within interval) RETURNS anyelement
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF clock_timestamp() > p_sent_at + p_within OR statement_timestamp() < p_sent_at - interval '1 second' THEN
    RAISE EXCEPTION 'the statement ended after its deadline' USING ERRCODE = 'SL000',
      DETAIL = round(extract(epoch FROM clock_timestamp()) * 1000)::text;
  END IF;
  RETURN p_result;
END $$;
