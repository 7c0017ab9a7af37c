CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" bigint NOT NULL,
	"parent_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"app_id" bigint NOT NULL,
	"user_id" bigint,
	"scope" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "apps" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"client_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"previous_secret_hash" text,
	"previous_secret_expires_at" timestamp with time zone,
	"owner_id" bigint NOT NULL,
	"name" text NOT NULL,
	"permalink" text NOT NULL,
	"external_url" text,
	"redirect_uris" text[] NOT NULL,
	"first_party" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "apps_client_id_key" UNIQUE("client_id"),
	CONSTRAINT "apps_permalink_key" UNIQUE("permalink"),
	CONSTRAINT "apps_permalink_is_no_id" CHECK ("apps"."permalink" !~ '^[0-9]+$')
);
--> statement-breakpoint
CREATE TABLE "site_sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"permalink" text NOT NULL,
	"username" text NOT NULL,
	"plan" text DEFAULT 'free' NOT NULL,
	"full_name" text,
	"country" text,
	"city" text,
	"description" text,
	"discogs_name" text,
	"myspace_name" text,
	"website" text,
	"website_title" text,
	"avatar_version" text,
	"playlist_count" bigint DEFAULT 0 NOT NULL,
	"private_playlists_count" bigint DEFAULT 0 NOT NULL,
	"followers_count" bigint DEFAULT 0 NOT NULL,
	"followings_count" bigint DEFAULT 0 NOT NULL,
	"public_favorites_count" bigint DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "users_plan" CHECK ("users"."plan" in ('free', 'artist', 'artist-pro')),
	CONSTRAINT "users_id_is_exact_in_json" CHECK ("users"."id" between 1 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "encoding_jobs" (
	"track_id" bigint PRIMARY KEY NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"next_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp with time zone,
	"progress" real DEFAULT 0 NOT NULL,
	"segments_ready" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"failure_retryable" boolean,
	"failure_detail" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "encoding_jobs_state" CHECK ("encoding_jobs"."state" in ('queued', 'leased', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "tracks" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"published_id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"permalink" text NOT NULL,
	"artist" text,
	"description" text,
	"genre" text,
	"tag_list" text DEFAULT '' NOT NULL,
	"track_type" text,
	"license" text DEFAULT 'all-rights-reserved' NOT NULL,
	"label_id" bigint,
	"label_name" text,
	"release" text,
	"release_day" smallint,
	"release_month" smallint,
	"release_year" smallint,
	"isrc" text,
	"bpm" real,
	"key_signature" text,
	"purchase_url" text,
	"purchase_title" text,
	"video_url" text,
	"artwork_version" text,
	"sharing" text DEFAULT 'public' NOT NULL,
	"embeddable_by" text DEFAULT 'all' NOT NULL,
	"streamable" boolean DEFAULT true NOT NULL,
	"downloadable" boolean DEFAULT false NOT NULL,
	"commentable" boolean DEFAULT true NOT NULL,
	"paywall" text,
	"available_country_codes" text[],
	"secret_hash" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"state" text DEFAULT 'processing' NOT NULL,
	"original_key" text NOT NULL,
	"original_filename" text NOT NULL,
	"original_format" text,
	"original_content_size" bigint NOT NULL,
	"duration_ms" bigint,
	"media_prefix" text,
	"media" jsonb,
	"comment_count" bigint DEFAULT 0 NOT NULL,
	"download_count" bigint DEFAULT 0 NOT NULL,
	"playback_count" bigint DEFAULT 0 NOT NULL,
	"favoritings_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "tracks_sharing" CHECK ("tracks"."sharing" in ('public', 'private')),
	CONSTRAINT "tracks_embeddable_by" CHECK ("tracks"."embeddable_by" in ('all', 'me', 'none')),
	CONSTRAINT "tracks_state" CHECK ("tracks"."state" in ('processing', 'failed', 'finished')),
	CONSTRAINT "tracks_paywall" CHECK ("tracks"."paywall" in ('preview', 'blocked')),
	CONSTRAINT "tracks_finished_has_media" CHECK ("tracks"."state" <> 'finished' or ("tracks"."media_prefix" is not null and "tracks"."media" is not null and "tracks"."duration_ms" > 0))
);
--> statement-breakpoint
CREATE TABLE "object_garbage" (
	"prefix" text PRIMARY KEY NOT NULL,
	"bucket" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "object_garbage_bucket" CHECK ("object_garbage"."bucket" in ('uploads', 'media'))
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"app_id" bigint,
	"filename" text NOT NULL,
	"size" bigint NOT NULL,
	"type" text NOT NULL,
	"last_modified" bigint,
	"status" text DEFAULT 'open' NOT NULL,
	"part_size" integer NOT NULL,
	"part_count" integer NOT NULL,
	"object_key" text NOT NULL,
	"storage_upload_id" text,
	"track_id" bigint,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_object_key_key" UNIQUE("object_key"),
	CONSTRAINT "uploads_status" CHECK ("uploads"."status" in ('open', 'completing', 'ready', 'used', 'failed', 'aborted', 'expired'))
);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "apps" ADD CONSTRAINT "apps_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_sessions" ADD CONSTRAINT "site_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "encoding_jobs" ADD CONSTRAINT "encoding_jobs_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_label_id_users_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id","last_used_at") WHERE "sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_app_id_idx" ON "sessions" USING btree ("app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_permalink_key" ON "users" USING btree (lower("permalink"));--> statement-breakpoint
CREATE INDEX "encoding_jobs_open_idx" ON "encoding_jobs" USING btree ("next_run_at") WHERE "encoding_jobs"."state" in ('queued', 'leased');--> statement-breakpoint
CREATE UNIQUE INDEX "tracks_user_id_permalink_key" ON "tracks" USING btree ("user_id","permalink");--> statement-breakpoint
CREATE INDEX "tracks_user_id_id_idx" ON "tracks" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "tracks_user_id_public_idx" ON "tracks" USING btree ("user_id","id") WHERE "tracks"."sharing" = 'public' and "tracks"."state" <> 'failed';--> statement-breakpoint
CREATE INDEX "object_garbage_due_at_idx" ON "object_garbage" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "uploads_user_id_open_idx" ON "uploads" USING btree ("user_id","id") WHERE "uploads"."status" in ('open', 'completing');--> statement-breakpoint
CREATE INDEX "uploads_user_id_id_idx" ON "uploads" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "uploads_expires_at_idx" ON "uploads" USING btree ("expires_at") WHERE "uploads"."status" in ('open', 'completing', 'ready');