-- no transaction
-- `users_disabled_idx` holds the same users, and every plan takes that one.
DROP INDEX CONCURRENTLY IF EXISTS users_disabled_at_idx;
