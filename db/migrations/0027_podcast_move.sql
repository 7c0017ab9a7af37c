ALTER TABLE "podcasts" ADD COLUMN "locked" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "podcasts" ADD COLUMN "new_feed_url" text;