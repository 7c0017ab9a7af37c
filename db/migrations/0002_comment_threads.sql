-- no transaction: the index is built while comments are written.
ALTER TABLE "comments" ADD COLUMN IF NOT EXISTS "parent_id" bigint;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "comments_track_id_thread_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "comments_track_id_thread_idx" ON "comments" USING btree ("track_id",coalesce("parent_id", "id"),"id");
