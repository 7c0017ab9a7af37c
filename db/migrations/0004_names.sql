-- no transaction: the indexes are built while the service writes. One that was interrupted is built anew.
DROP INDEX CONCURRENTLY IF EXISTS users_names_idx;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_names_idx" ON "users" USING gin (ts_filter("document", '{a}')) WITH (fastupdate=false) WHERE "users"."disabled_at" is null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS track_documents_names_idx;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "track_documents_names_idx" ON "track_documents" USING gin (ts_filter("document", '{a}')) WITH (fastupdate=false) WHERE "track_documents"."listed";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS playlist_search_names_idx;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY playlist_search_names_idx ON playlist_search USING gin (ts_filter(document, '{a}')) WITH (fastupdate=false) WHERE public;
