CREATE TABLE "transcoders" (
	"name" text PRIMARY KEY NOT NULL,
	"slots" smallint NOT NULL,
	"seen_at" timestamp with time zone,
	"rests_until" timestamp with time zone,
	"is_starting" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
DROP INDEX "encoding_jobs_open_idx";--> statement-breakpoint
ALTER TABLE "encoding_jobs" ADD COLUMN "transcoder" text;--> statement-breakpoint
ALTER TABLE "encoding_jobs" ADD COLUMN "turn" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "encoding_jobs_queued_idx" ON "encoding_jobs" USING btree ("turn") WHERE "encoding_jobs"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "encoding_jobs_leased_idx" ON "encoding_jobs" USING btree ("transcoder") WHERE "encoding_jobs"."state" = 'leased';