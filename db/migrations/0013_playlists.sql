CREATE TABLE "playlist_tracks" (
	"playlist_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"track_id" bigint NOT NULL,
	CONSTRAINT "playlist_tracks_playlist_id_position_pk" PRIMARY KEY("playlist_id","position")
);
--> statement-breakpoint
CREATE TABLE "playlists" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"published_id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"permalink" text NOT NULL,
	"description" text,
	"sanitizer_version" smallint,
	"genre" text,
	"tag_list" text DEFAULT '' NOT NULL,
	"playlist_type" text,
	"license" text DEFAULT 'all-rights-reserved' NOT NULL,
	"label_id" bigint,
	"label_name" text,
	"release" text,
	"release_day" smallint,
	"release_month" smallint,
	"release_year" smallint,
	"ean" text,
	"purchase_url" text,
	"purchase_title" text,
	"artwork_version" text,
	"sharing" text DEFAULT 'public' NOT NULL,
	"embeddable_by" text DEFAULT 'all' NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"likes_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "playlists_sharing" CHECK ("playlists"."sharing" in ('public', 'private')),
	CONSTRAINT "playlists_embeddable_by" CHECK ("playlists"."embeddable_by" in ('all', 'me', 'none'))
);
--> statement-breakpoint
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_tracks" ADD CONSTRAINT "playlist_tracks_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlists" ADD CONSTRAINT "playlists_label_id_users_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "playlist_tracks_track_id_key" ON "playlist_tracks" USING btree ("track_id","playlist_id");--> statement-breakpoint
CREATE UNIQUE INDEX "playlists_user_id_permalink_key" ON "playlists" USING btree ("user_id","permalink");--> statement-breakpoint
CREATE UNIQUE INDEX "playlists_secret_hash_key" ON "playlists" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "playlists_user_id_id_idx" ON "playlists" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "playlists_public_idx" ON "playlists" USING btree ("id") WHERE "playlists"."sharing" = 'public';--> statement-breakpoint
CREATE INDEX "playlists_user_id_public_idx" ON "playlists" USING btree ("user_id","id") WHERE "playlists"."sharing" = 'public';
--> statement-breakpoint
-- Function bodies name each other.
SET LOCAL check_function_bodies = off;

CREATE TRIGGER artwork_new AFTER INSERT ON playlists FOR EACH ROW
  WHEN (NEW.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');
CREATE TRIGGER artwork_changed AFTER UPDATE OF artwork_version ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS DISTINCT FROM NEW.artwork_version) EXECUTE FUNCTION image_changed_v1('artwork_version');
CREATE TRIGGER artwork_gone AFTER DELETE ON playlists FOR EACH ROW
  WHEN (OLD.artwork_version IS NOT NULL) EXECUTE FUNCTION image_changed_v1('artwork_version');

-- Whatever makes, ends, opens or closes a playlist counts for its owner, in its own transaction.
CREATE FUNCTION playlist_counted_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', OLD.user_id,
      CASE OLD.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO counter_deltas (kind, subject_id, counter, delta) VALUES ('user', NEW.user_id,
      CASE NEW.sharing WHEN 'public' THEN 'playlist_count' ELSE 'private_playlists_count' END, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER playlist_counted AFTER INSERT OR DELETE ON playlists FOR EACH ROW EXECUTE FUNCTION playlist_counted_v1();
CREATE TRIGGER playlist_recounted AFTER UPDATE OF sharing ON playlists FOR EACH ROW
  WHEN (OLD.sharing IS DISTINCT FROM NEW.sharing) EXECUTE FUNCTION playlist_counted_v1();
