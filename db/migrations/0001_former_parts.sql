-- Drops tables, views and columns that only databases from before the baseline have.
DROP VIEW IF EXISTS track_search_0, track_search_unlisted, track_search;
DROP TABLE IF EXISTS search_words, track_search_ranges;
-- Workers from before the baseline call this function until the deploy replaces it.
DO $$ BEGIN
  EXECUTE coalesce((SELECT replace(pg_get_functiondef(oid), ', reply = NULL, lease_until = NULL', '')
    FROM pg_proc WHERE proname = 'keep_idempotent_result'), '');
END $$;
ALTER TABLE idempotency_keys DROP COLUMN IF EXISTS lease_until, DROP COLUMN IF EXISTS reply;
ALTER TABLE stream_events DROP COLUMN IF EXISTS transaction;
