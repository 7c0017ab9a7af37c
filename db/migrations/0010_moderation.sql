CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"actor" text NOT NULL,
	"actor_id" bigint,
	"act" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint,
	"target" text,
	"reason" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint,
	"url" text NOT NULL,
	"reason" text NOT NULL,
	"details" text NOT NULL,
	"reporter_id" bigint,
	"email" text,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "reports_state" CHECK ("reports"."state" in ('open', 'resolved', 'dismissed')),
	CONSTRAINT "reports_target_kind" CHECK ("reports"."target_kind" in ('user', 'track', 'playlist', 'comment', 'page'))
);
--> statement-breakpoint
CREATE TABLE "suspensions" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "takedowns" (
	"track_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"sharing" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "takedowns_sharing" CHECK ("takedowns"."sharing" in ('public', 'private'))
);
--> statement-breakpoint
CREATE TABLE "user_quotas" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"seconds" bigint,
	"bytes" bigint,
	"tracks" bigint,
	CONSTRAINT "user_quotas_limits" CHECK (least("user_quotas"."seconds", "user_quotas"."bytes", "user_quotas"."tracks") >= -1)
);
--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "taken_down_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "takedowns" ADD CONSTRAINT "takedowns_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_quotas" ADD CONSTRAINT "user_quotas_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_target_idx" ON "audit_log" USING btree ("target_kind","target_id","id");--> statement-breakpoint
CREATE INDEX "reports_open_idx" ON "reports" USING btree ("id") WHERE "reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX "reports_target_idx" ON "reports" USING btree ("target_kind","target_id");--> statement-breakpoint
CREATE INDEX "reports_reporter_id_idx" ON "reports" USING btree ("reporter_id") WHERE "reports"."reporter_id" is not null;--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_taken_down_is_private" CHECK ("tracks"."taken_down_at" is null or "tracks"."sharing" = 'private');