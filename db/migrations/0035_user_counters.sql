-- no transaction
ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "quiet_comments_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE OR REPLACE FUNCTION counter_exists(p_kind text, p_counter text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE p_kind
    WHEN 'track' THEN p_counter IN
      ('comment_count', 'download_count', 'playback_count', 'favoritings_count', 'reposts_count')
    WHEN 'playlist' THEN p_counter IN ('favoritings_count', 'reposts_count')
    WHEN 'user' THEN p_counter IN
      ('playlist_count', 'private_playlists_count', 'followers_count', 'followings_count', 'public_favorites_count',
        'reposts_count', 'comments_count', 'quiet_comments_count')
    ELSE false
  END;
END $$;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS comments_user_id_track_id_idx;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "comments_user_id_track_id_idx" ON "comments" USING btree ("user_id","track_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS tracks_user_id_quiet_idx;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "tracks_user_id_quiet_idx" ON "tracks" USING btree ("user_id") WHERE not "tracks"."reveal_comments";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS playlists_user_id_published_id_idx;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "playlists_user_id_published_id_idx" ON "playlists" USING btree ("user_id","published_id");
