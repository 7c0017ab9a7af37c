-- no transaction
-- An owner's profile counts their failed tracks, and `GET /me` the private ones, without reading all that they have.
DROP INDEX CONCURRENTLY IF EXISTS "tracks_user_id_unlisted_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "tracks_user_id_unlisted_idx" ON "tracks" USING btree ("user_id","sharing") WHERE "tracks"."sharing" <> 'public' or "tracks"."state" = 'failed';
