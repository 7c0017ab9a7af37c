CREATE TABLE "playlist_likes" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_likes_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
--> statement-breakpoint
CREATE TABLE "playlist_reposts" (
	"id" bigint DEFAULT next_id() NOT NULL,
	"user_id" bigint NOT NULL,
	"playlist_id" bigint NOT NULL,
	CONSTRAINT "playlist_reposts_user_id_playlist_id_pk" PRIMARY KEY("user_id","playlist_id")
);
--> statement-breakpoint
ALTER TABLE "counter_deltas" DROP CONSTRAINT "counter_deltas_counter";--> statement-breakpoint
ALTER TABLE "playlists" ADD COLUMN "reposts_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "reposts_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "playlist_likes" ADD CONSTRAINT "playlist_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_likes" ADD CONSTRAINT "playlist_likes_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playlist_reposts" ADD CONSTRAINT "playlist_reposts_playlist_id_playlists_id_fk" FOREIGN KEY ("playlist_id") REFERENCES "public"."playlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "counter_deltas" ADD CONSTRAINT "counter_deltas_counter" CHECK (("counter_deltas"."kind" = 'track' and "counter_deltas"."counter" in ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')) or ("counter_deltas"."kind" = 'playlist' and "counter_deltas"."counter" in ('likes_count', 'reposts_count')) or ("counter_deltas"."kind" = 'user' and "counter_deltas"."counter" in ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count')));
--> statement-breakpoint
CREATE INDEX playlist_likes_playlist_id_idx ON playlist_likes (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_likes_user_id_idx ON playlist_likes (user_id, id DESC) INCLUDE (playlist_id);
CREATE INDEX playlist_reposts_playlist_id_idx ON playlist_reposts (playlist_id, id DESC) INCLUDE (user_id);
CREATE INDEX playlist_reposts_user_id_idx ON playlist_reposts (user_id, id DESC) INCLUDE (playlist_id);
