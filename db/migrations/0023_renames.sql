-- A user's new name is no change of a key to PostgreSQL: rows that refer to the user, such as new followers, do not wait for it.
-- The indexes are built before anything is dropped, because that locks out readers.
CREATE UNIQUE INDEX "new_users_username_key" ON "users" USING btree ("username_key") WHERE "users"."username_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "new_users_look_alike_key" ON "users" USING btree ("look_alike_key") WHERE "users"."look_alike_key" is not null;--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_username_key";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_look_alike_key";--> statement-breakpoint
ALTER INDEX "new_users_username_key" RENAME TO "users_username_key";--> statement-breakpoint
ALTER INDEX "new_users_look_alike_key" RENAME TO "users_look_alike_key";
