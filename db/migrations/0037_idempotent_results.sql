ALTER TABLE "idempotency_keys" ALTER COLUMN "lease_until" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "result" jsonb;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "made_id" bigint;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "secret" "bytea";