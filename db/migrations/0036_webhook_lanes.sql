-- no transaction
-- Slow targets get more time than others, and fewer attempts at once.
ALTER TABLE "webhooks" ADD COLUMN IF NOT EXISTS "slow" boolean DEFAULT false NOT NULL;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_running_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_deliveries_running_idx" ON "webhook_deliveries" USING btree ("webhook_id") WHERE "webhook_deliveries"."attempt" is not null;
