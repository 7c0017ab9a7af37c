-- A moment of a list that is ordered by time-ordered ids: what was committed by then, as a snapshot tells it. Ids are made
-- before their rows are committed, so that "after the newest id I saw" would lose what was still being written. Of ids up to
-- `settled` it is not asked: no transaction stays open that long, and a snapshot means nothing in a restored database.
CREATE OR REPLACE FUNCTION moment() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('snapshot', pg_current_snapshot()::text,
    'settled', ((extract(epoch FROM now() - interval '10 minutes') * 1000)::bigint - 1704067200000) << 12)
$$;
