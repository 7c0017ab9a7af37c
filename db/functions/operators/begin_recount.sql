-- Makes the recount of all counters due, which otherwise is a nightly duty. A pass under way goes on.
CREATE OR REPLACE FUNCTION begin_recount(p_by jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM begin_act(p_by);
  UPDATE recounts SET begun_at = '-infinity' WHERE after_id IS NULL;
  PERFORM note_act(p_by, 'counters.recount', 'counters', NULL, NULL);
  RETURN true;
END $$;
