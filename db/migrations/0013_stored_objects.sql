CREATE TABLE "stored_objects" (
	"prefix" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint,
	"bytes" bigint,
	CONSTRAINT "stored_objects_kind" CHECK ("stored_objects"."kind" in ('original', 'encode', 'picture'))
);
--> statement-breakpoint
CREATE TABLE "stored_totals" (
	"kind" text PRIMARY KEY NOT NULL,
	"objects" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"counted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "original_deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stored_objects" ADD CONSTRAINT "stored_objects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_objects_user_id_idx" ON "stored_objects" USING btree ("user_id","kind","bytes");--> statement-breakpoint
CREATE INDEX "stored_objects_unmeasured_idx" ON "stored_objects" USING btree ("prefix") WHERE "stored_objects"."bytes" is null;--> statement-breakpoint
CREATE VIEW shown_objects AS
  SELECT 'track' AS subject, id, original_key AS prefix, 'original' AS kind, user_id, original_content_size AS bytes
  FROM tracks WHERE original_deleted_at IS NULL
  UNION ALL
  SELECT 'track', id, media_prefix, 'encode', user_id, NULL FROM tracks WHERE media_prefix IS NOT NULL
  UNION ALL
  SELECT 'track', id, 'images/' || artwork_version || '/', 'picture', user_id, NULL FROM tracks WHERE artwork_version IS NOT NULL
  UNION ALL
  SELECT 'playlist', id, 'images/' || artwork_version || '/', 'picture', user_id, NULL FROM playlists WHERE artwork_version IS NOT NULL
  UNION ALL
  SELECT 'user', id, 'images/' || avatar_version || '/', 'picture', id, NULL FROM users WHERE avatar_version IS NOT NULL;
--> statement-breakpoint
-- The cron measures what has no size yet.
INSERT INTO stored_objects (prefix, kind, user_id, bytes) SELECT prefix, kind, user_id, bytes FROM shown_objects
ON CONFLICT DO NOTHING;
