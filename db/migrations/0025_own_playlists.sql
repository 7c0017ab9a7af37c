-- no transaction: the index goes while the service runs. Its lists are in the order of publication, and counts are counters.
DROP INDEX CONCURRENTLY IF EXISTS "playlists_user_id_public_idx";
