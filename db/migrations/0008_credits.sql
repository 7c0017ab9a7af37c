CREATE TABLE "credits" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"track_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"roles" jsonb,
	CONSTRAINT "credits_track_id_user_id_pk" PRIMARY KEY("track_id","user_id"),
	CONSTRAINT "credits_state" CHECK ("credits"."state" in ('pending', 'accepted', 'declined'))
);
--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "artists" jsonb;--> statement-breakpoint
ALTER TABLE "credits" ADD CONSTRAINT "credits_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credits" ADD CONSTRAINT "credits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credits_user_id_idx" ON "credits" USING btree ("user_id","id");