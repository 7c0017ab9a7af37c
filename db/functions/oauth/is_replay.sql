-- An arrival is believed within ten seconds before the statement and never after it: a Worker's clock may be wrong either way.
CREATE OR REPLACE FUNCTION is_replay(p_race_ends_at timestamptz, p_arrived_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT least(greatest(p_arrived_at, statement_timestamp() - interval '10 seconds'), statement_timestamp()) > p_race_ends_at
$$;
