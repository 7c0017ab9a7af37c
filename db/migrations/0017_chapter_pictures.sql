CREATE TABLE "chapter_pictures" (
	"version" text PRIMARY KEY NOT NULL,
	"track_id" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chapters" ADD COLUMN "source" text DEFAULT 'uploaded' NOT NULL;--> statement-breakpoint
ALTER TABLE "chapter_pictures" ADD CONSTRAINT "chapter_pictures_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chapter_pictures_track_id_idx" ON "chapter_pictures" USING btree ("track_id");--> statement-breakpoint
ALTER TABLE "chapters" ADD CONSTRAINT "chapters_source" CHECK ("chapters"."source" in ('uploaded', 'file'));--> statement-breakpoint
CREATE OR REPLACE VIEW shown_objects AS
  SELECT 'track' AS subject, id, original_key AS prefix, 'original' AS kind, user_id, original_content_size AS bytes
  FROM tracks WHERE original_deleted_at IS NULL
  UNION ALL
  SELECT 'track', id, media_prefix, 'encode', user_id, NULL FROM tracks WHERE media_prefix IS NOT NULL
  UNION ALL
  SELECT 'track', id, 'images/' || artwork_version || '/', 'picture', user_id, NULL FROM tracks WHERE artwork_version IS NOT NULL
  UNION ALL
  SELECT 'track', t.id, 'images/' || p.version || '/', 'picture', t.user_id, NULL
  FROM chapter_pictures p JOIN tracks t ON t.id = p.track_id
  UNION ALL
  SELECT 'playlist', id, 'images/' || artwork_version || '/', 'picture', user_id, NULL FROM playlists WHERE artwork_version IS NOT NULL
  UNION ALL
  SELECT 'user', id, 'images/' || avatar_version || '/', 'picture', id, NULL FROM users WHERE avatar_version IS NOT NULL;
