ALTER TABLE "playlists" ADD COLUMN "was_public" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "was_public" boolean DEFAULT false NOT NULL;