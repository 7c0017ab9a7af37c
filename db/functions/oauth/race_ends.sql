-- Uses of one secret that come together are a race, which one of them wins and which ends nothing; what comes after is a
-- replay. A use is of the race if it arrived before the race ended. To whoever waits for a reply it has ended by then, so
-- the caller holds every reply for `hold_ms`: ten longer than the race lasts, for clocks that differ. The winner's is short;
-- the others, once there are others, wait for those that load held up. The arrival is the Worker's clock, so it is believed
-- within ten seconds only.
CREATE OR REPLACE FUNCTION race_ends(p_hold_ms integer) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + make_interval(secs => (p_hold_ms - 10) / 1000.0)
$$;
