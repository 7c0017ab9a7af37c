ALTER TABLE "operators" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "code_expires_at" timestamp with time zone;