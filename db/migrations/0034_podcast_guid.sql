ALTER TABLE "users" ADD COLUMN "podcast_guid" uuid;--> statement-breakpoint
ALTER TABLE "playlists" ADD COLUMN "podcast_guid" uuid;--> statement-breakpoint
ALTER TABLE "podcasts" ADD COLUMN "guid" uuid;