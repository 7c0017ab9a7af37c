CREATE TABLE "pending_plays" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pending_plays_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"track_id" bigint NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"country" text,
	"app" text,
	"referrer" text,
	"listener" smallint,
	"quarter" smallint,
	CONSTRAINT "pending_plays_quarter" CHECK ("pending_plays"."quarter" between 1 and 4)
);
--> statement-breakpoint
CREATE TABLE "playlist_insights" (
	"playlist_id" bigint NOT NULL,
	"grain" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"reposts" integer DEFAULT 0 NOT NULL,
	"comments" integer DEFAULT 0 NOT NULL,
	"followers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "playlist_insights_playlist_id_grain_started_at_pk" PRIMARY KEY("playlist_id","grain","started_at")
);
--> statement-breakpoint
CREATE TABLE "track_breakdowns" (
	"track_id" bigint NOT NULL,
	"dimension" text NOT NULL,
	"grain" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"value" text NOT NULL,
	"plays" integer NOT NULL,
	"listeners" smallint[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "track_breakdowns_track_id_dimension_grain_started_at_value_pk" PRIMARY KEY("track_id","dimension","grain","started_at","value")
);
--> statement-breakpoint
CREATE TABLE "track_insights" (
	"track_id" bigint NOT NULL,
	"grain" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"reposts" integer DEFAULT 0 NOT NULL,
	"comments" integer DEFAULT 0 NOT NULL,
	"followers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "track_insights_track_id_grain_started_at_pk" PRIMARY KEY("track_id","grain","started_at")
);
--> statement-breakpoint
CREATE TABLE "user_breakdowns" (
	"user_id" bigint NOT NULL,
	"dimension" text NOT NULL,
	"grain" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"value" text NOT NULL,
	"plays" integer NOT NULL,
	"listeners" smallint[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "user_breakdowns_user_id_dimension_grain_started_at_value_pk" PRIMARY KEY("user_id","dimension","grain","started_at","value")
);
--> statement-breakpoint
CREATE TABLE "user_insights" (
	"user_id" bigint NOT NULL,
	"grain" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"reposts" integer DEFAULT 0 NOT NULL,
	"comments" integer DEFAULT 0 NOT NULL,
	"followers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "user_insights_user_id_grain_started_at_pk" PRIMARY KEY("user_id","grain","started_at")
);
--> statement-breakpoint
ALTER TABLE "counter_deltas" ADD COLUMN "hour" timestamp with time zone DEFAULT date_trunc('hour', now(), 'UTC') NOT NULL;--> statement-breakpoint
ALTER TABLE "playlist_insights" ADD CONSTRAINT "playlist_insights_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_breakdowns" ADD CONSTRAINT "track_breakdowns_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_insights" ADD CONSTRAINT "track_insights_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_breakdowns" ADD CONSTRAINT "user_breakdowns_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_insights" ADD CONSTRAINT "user_insights_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_plays_track_id_idx" ON "pending_plays" USING btree ("track_id");--> statement-breakpoint
CREATE INDEX "playlist_insights_hours_idx" ON "playlist_insights" USING btree ("started_at") WHERE "playlist_insights"."grain" = 'hour';--> statement-breakpoint
CREATE INDEX "track_insights_hours_idx" ON "track_insights" USING btree ("started_at") WHERE "track_insights"."grain" = 'hour';--> statement-breakpoint
CREATE INDEX "user_insights_hours_idx" ON "user_insights" USING btree ("started_at") WHERE "user_insights"."grain" = 'hour';--> statement-breakpoint
-- A sweep deletes most rows, and readers would wait for the lock that cuts the file.
ALTER TABLE pending_plays SET (vacuum_truncate = off);
