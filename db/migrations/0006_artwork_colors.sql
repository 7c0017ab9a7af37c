ALTER TABLE "playlists" ADD COLUMN "artwork_colors" text;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "artwork_colors" text;