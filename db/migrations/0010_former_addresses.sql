CREATE TABLE "former_addresses" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"track_id" bigint,
	"playlist_id" bigint,
	"permalink" text NOT NULL,
	"left_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "former_addresses_subject" CHECK (num_nonnulls("former_addresses"."track_id", "former_addresses"."playlist_id") <= 1)
);
--> statement-breakpoint
CREATE TABLE "superseded_tracks" (
	"id" bigint PRIMARY KEY NOT NULL,
	"track_id" bigint NOT NULL,
	"superseded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "playlists" ADD COLUMN "permalink_chosen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "permalink_chosen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "superseded_tracks" ADD CONSTRAINT "superseded_tracks_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "former_addresses_user_key" ON "former_addresses" USING btree ("permalink") WHERE "former_addresses"."track_id" is null and "former_addresses"."playlist_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "former_addresses_track_key" ON "former_addresses" USING btree ("user_id","permalink") WHERE "former_addresses"."track_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "former_addresses_playlist_key" ON "former_addresses" USING btree ("user_id","permalink") WHERE "former_addresses"."playlist_id" is not null;--> statement-breakpoint
CREATE INDEX "former_addresses_user_id_idx" ON "former_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "former_addresses_track_id_idx" ON "former_addresses" USING btree ("track_id") WHERE "former_addresses"."track_id" is not null;--> statement-breakpoint
CREATE INDEX "former_addresses_playlist_id_idx" ON "former_addresses" USING btree ("playlist_id") WHERE "former_addresses"."playlist_id" is not null;--> statement-breakpoint
CREATE INDEX "superseded_tracks_track_id_idx" ON "superseded_tracks" USING btree ("track_id");