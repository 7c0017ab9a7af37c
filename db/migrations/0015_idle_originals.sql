-- no transaction: the index is built while the service writes. One that was interrupted is built anew.
DROP INDEX CONCURRENTLY IF EXISTS tracks_idle_original_idx;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "tracks_idle_original_idx" ON "tracks" USING btree ("id") WHERE "tracks"."state" = 'finished' and not "tracks"."downloadable" and "tracks"."original_deleted_at" is null;
