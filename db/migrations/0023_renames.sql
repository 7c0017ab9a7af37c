-- no transaction
-- A user's new name is no change of a key to PostgreSQL: rows that refer to the user, such as new followers, do not wait for it.
-- The indexes are built while users are read and written. One that was left half built goes first.
DROP INDEX CONCURRENTLY IF EXISTS "new_users_username_key";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "new_users_username_key" ON "users" USING btree ("username_key") WHERE "users"."username_key" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "new_users_look_alike_key";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "new_users_look_alike_key" ON "users" USING btree ("look_alike_key") WHERE "users"."look_alike_key" is not null;--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT IF EXISTS "users_username_key", DROP CONSTRAINT IF EXISTS "users_look_alike_key";
DROP INDEX IF EXISTS "users_username_key", "users_look_alike_key";
ALTER INDEX "new_users_username_key" RENAME TO "users_username_key";
ALTER INDEX "new_users_look_alike_key" RENAME TO "users_look_alike_key";
