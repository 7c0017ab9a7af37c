ALTER TABLE "playlists" ADD COLUMN "publish_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "publish_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "playlists_publish_at_idx" ON "playlists" USING btree ("publish_at","user_id") WHERE "playlists"."publish_at" is not null;--> statement-breakpoint
CREATE INDEX "tracks_publish_at_idx" ON "tracks" USING btree ("publish_at","user_id") WHERE "tracks"."publish_at" is not null and "tracks"."state" <> 'failed';--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_scheduled_is_private" CHECK ("playlists"."publish_at" is null or "playlists"."sharing" = 'private');--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_scheduled_is_private" CHECK ("tracks"."publish_at" is null or "tracks"."sharing" = 'private');