-- Tells whether a use arrived after its race ended. Arrival is trusted within the last ten seconds, because a Worker's
-- clock may be wrong.
CREATE OR REPLACE FUNCTION is_replay(p_race_ends_at timestamptz, p_arrived_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT least(greatest(p_arrived_at, statement_timestamp() - interval '10 seconds'), statement_timestamp()) > p_race_ends_at
$$;
