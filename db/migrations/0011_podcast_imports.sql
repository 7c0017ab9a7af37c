CREATE TABLE "podcast_import_episodes" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"import_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"guid" text NOT NULL,
	"title" text NOT NULL,
	"published_at" timestamp with time zone,
	"item" jsonb NOT NULL,
	"host" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"size" bigint,
	"fetched" bigint DEFAULT 0 NOT NULL,
	"validator" text,
	"object_key" text,
	"storage_upload_id" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"track_id" bigint,
	CONSTRAINT "podcast_import_episodes_state" CHECK ("podcast_import_episodes"."state" in ('waiting', 'fetching', 'imported', 'failed', 'left_out', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "podcast_imports" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint,
	"feed_url" text NOT NULL,
	"state" text DEFAULT 'preview' NOT NULL,
	"title" text NOT NULL,
	"show" jsonb NOT NULL,
	"owner_email" text,
	"code_hash" text,
	"tries" smallint DEFAULT 0 NOT NULL,
	"playlist_id" bigint,
	"next_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "podcast_imports_state" CHECK ("podcast_imports"."state" in ('preview', 'running', 'done', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "guid" text;--> statement-breakpoint
ALTER TABLE "podcast_import_episodes" ADD CONSTRAINT "podcast_import_episodes_import_id_podcast_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."podcast_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "podcast_imports" ADD CONSTRAINT "podcast_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "podcast_imports" ADD CONSTRAINT "podcast_imports_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "podcast_imports" ADD CONSTRAINT "podcast_imports_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "podcast_import_episodes_guid_key" ON "podcast_import_episodes" USING btree ("import_id","guid");--> statement-breakpoint
CREATE INDEX "podcast_import_episodes_position_idx" ON "podcast_import_episodes" USING btree ("import_id","position");--> statement-breakpoint
CREATE INDEX "podcast_import_episodes_fetching_idx" ON "podcast_import_episodes" USING btree ("host") WHERE "podcast_import_episodes"."state" = 'fetching';--> statement-breakpoint
CREATE INDEX "podcast_import_episodes_track_id_idx" ON "podcast_import_episodes" USING btree ("track_id") WHERE "podcast_import_episodes"."track_id" is not null;--> statement-breakpoint
CREATE INDEX "podcast_imports_user_id_idx" ON "podcast_imports" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "podcast_imports_playlist_id_idx" ON "podcast_imports" USING btree ("playlist_id") WHERE "podcast_imports"."playlist_id" is not null;--> statement-breakpoint
CREATE INDEX "podcast_imports_app_id_idx" ON "podcast_imports" USING btree ("app_id") WHERE "podcast_imports"."app_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "podcast_imports_running_key" ON "podcast_imports" USING btree ("user_id") WHERE "podcast_imports"."state" = 'running';--> statement-breakpoint
CREATE INDEX "podcast_imports_running_idx" ON "podcast_imports" USING btree ("next_run_at") WHERE "podcast_imports"."state" = 'running';--> statement-breakpoint
-- The set's GUID is the only one from now on.
UPDATE "playlists" SET "podcast_guid" = "podcasts"."guid" FROM "podcasts" WHERE "podcasts"."playlist_id" = "playlists"."id" AND "podcasts"."guid" IS NOT NULL;
