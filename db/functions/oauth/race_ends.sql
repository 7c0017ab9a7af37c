-- Returns when a race for one secret ends; later uses are replays. Callers delay replies by `hold_ms`, ten longer than
-- the race because clocks differ. Losers wait longer, which admits uses that load delayed.
CREATE OR REPLACE FUNCTION race_ends(p_hold_ms integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + make_interval(secs => (p_hold_ms - 10) / 1000.0)
$$;
