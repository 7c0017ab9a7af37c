CREATE TABLE "counter_notices" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"removal_id" bigint NOT NULL,
	"statement" text NOT NULL,
	"name" text NOT NULL,
	"contact" text NOT NULL,
	"decision" text,
	"decision_reason" text,
	"decided_at" timestamp with time zone,
	CONSTRAINT "counter_notices_decision" CHECK ("counter_notices"."decision" in ('restored', 'upheld')),
	CONSTRAINT "counter_notices_decided" CHECK (("counter_notices"."decision" is null) = ("counter_notices"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "removals" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint,
	"playlist_id" bigint,
	"comment_id" bigint,
	"comment" jsonb,
	"picture_version" text,
	"picture_colors" text,
	"sharing" text,
	"secret_hash" "bytea",
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"restored_at" timestamp with time zone,
	CONSTRAINT "removals_kind" CHECK ("removals"."kind" in ('track', 'playlist', 'comment', 'picture')),
	CONSTRAINT "removals_sharing" CHECK ("removals"."sharing" in ('public', 'private'))
);
--> statement-breakpoint
ALTER TABLE "playlists" ADD COLUMN "taken_down_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "counter_notices" ADD CONSTRAINT "counter_notices_removal_id_removals_id_fk" FOREIGN KEY ("removal_id") REFERENCES "public"."removals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removals" ADD CONSTRAINT "removals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removals" ADD CONSTRAINT "removals_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removals" ADD CONSTRAINT "removals_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "counter_notices_removal_id_idx" ON "counter_notices" USING btree ("removal_id");--> statement-breakpoint
CREATE UNIQUE INDEX "counter_notices_open_key" ON "counter_notices" USING btree ("removal_id") WHERE "counter_notices"."decided_at" is null;--> statement-breakpoint
CREATE INDEX "removals_user_id_idx" ON "removals" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "removals_track_id_idx" ON "removals" USING btree ("track_id");--> statement-breakpoint
CREATE INDEX "removals_playlist_id_idx" ON "removals" USING btree ("playlist_id");--> statement-breakpoint
CREATE INDEX "removals_open_idx" ON "removals" USING btree ("id") WHERE "removals"."restored_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "removals_comment_id_key" ON "removals" USING btree ("comment_id") WHERE "removals"."kind" = 'comment' and "removals"."restored_at" is null;--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_taken_down_is_private" CHECK ("playlists"."taken_down_at" is null or "playlists"."sharing" = 'private');--> statement-breakpoint
-- Tracks that are down now have a case, too, so that their owners can answer.
INSERT INTO removals (kind, user_id, track_id, name, reason, created_at)
SELECT 'track', t.user_id, t.id, t.title, d.reason, d.created_at FROM takedowns d JOIN tracks t ON t.id = d.track_id;
--> statement-breakpoint
-- A removed picture stays for its restoring.
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
  SELECT 'user', id, 'images/' || avatar_version || '/', 'picture', id, NULL FROM users WHERE avatar_version IS NOT NULL
  UNION ALL
  SELECT 'removal', id, 'images/' || picture_version || '/', 'picture', user_id, NULL FROM removals WHERE picture_version IS NOT NULL;
