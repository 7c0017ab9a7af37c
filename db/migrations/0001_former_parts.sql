-- Drops what databases from before the baseline have besides. Workers of that time no longer run.
DROP VIEW IF EXISTS track_search_0, track_search_unlisted, track_search;
DROP TABLE IF EXISTS search_words, track_search_ranges;
ALTER TABLE idempotency_keys DROP COLUMN IF EXISTS lease_until, DROP COLUMN IF EXISTS reply;
ALTER TABLE stream_events DROP COLUMN IF EXISTS transaction;
