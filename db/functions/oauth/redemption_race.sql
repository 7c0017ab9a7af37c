-- Returns when a code or token was redeemed, and how long redemptions race. Uses that arrive within a race are no replays.
-- Replies wait ten milliseconds longer, because clocks differ; replies to losers wait longer still, for uses that load has
-- delayed. An arrival is trusted within the last ten seconds only, because a Worker's clock may be wrong.
CREATE OR REPLACE FUNCTION redemption_race(
  p_arrived_at timestamptz, OUT arrived_at timestamptz, OUT winner interval, OUT winner_hold_ms integer, OUT loser interval,
  OUT loser_hold_ms integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  arrived_at := least(greatest(p_arrived_at, statement_timestamp() - interval '10 seconds'), statement_timestamp());
  winner := interval '40 milliseconds';
  winner_hold_ms := 50;
  loser := interval '240 milliseconds';
  loser_hold_ms := 250;
END $$;
