-- no transaction
-- Uploads that ended without a track are deleted a month later.
DROP INDEX CONCURRENTLY IF EXISTS "uploads_ended_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "uploads_ended_idx" ON "uploads" USING btree ("expires_at") WHERE "uploads"."status" in ('failed', 'aborted', 'expired');
