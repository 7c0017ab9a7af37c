-- Lists the instances that may be offered jobs. Room is slots less live leases; an instance that never answered has one slot.
CREATE OR REPLACE FUNCTION pool_room(p_transcoders integer)
RETURNS TABLE (place integer, name text, slots integer, room integer, is_warm boolean) LANGUAGE sql STABLE AS $$
  SELECT i.place, i.name, s.slots, s.slots - l.leases, l.leases > 0 OR coalesce(t.seen_at > now() - interval '2 minutes', false)
  FROM (SELECT n, 'pool-' || n FROM generate_series(0, p_transcoders - 1) n) i (place, name)
  LEFT JOIN transcoders t ON t.name = i.name
  CROSS JOIN LATERAL (SELECT coalesce(t.slots, 1)::integer) s (slots)
  CROSS JOIN LATERAL (
    SELECT count(*)::integer FROM encoding_jobs j
    WHERE j.state = 'leased' AND j.transcoder = i.name AND j.lease_until > now()) l (leases)
  WHERE (t.rests_until > now()) IS NOT TRUE
$$;
