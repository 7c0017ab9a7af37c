-- One table for the search of tracks. It was two, one of them in ranges of ids.
CREATE TABLE "track_documents" (
	"id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"listed" boolean NOT NULL,
	"sharing" text NOT NULL,
	"bpm" double precision,
	"duration_ms" bigint,
	"document" "tsvector" NOT NULL
);
--> statement-breakpoint
LOCK TABLE tracks IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO track_documents
SELECT id, user_id, true, 'public', bpm, duration_ms, document FROM track_search
UNION ALL
SELECT id, user_id, false, CASE WHEN public THEN 'public' ELSE 'private' END, bpm, duration_ms, document FROM track_search_unlisted;
--> statement-breakpoint
UPDATE track_documents d SET document = d.document || array_to_tsvector(ARRAY[':unstreamable'])
FROM tracks t WHERE t.id = d.id AND t.taken_down_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "track_documents_document_idx" ON "track_documents" USING gin ("document") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "track_documents_user_id_idx" ON "track_documents" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "track_documents_unlisted_idx" ON "track_documents" USING btree ("user_id","id") WHERE not "track_documents"."listed";--> statement-breakpoint
CREATE INDEX "track_documents_bpm_idx" ON "track_documents" USING btree ("bpm","id");--> statement-breakpoint
CREATE INDEX "track_documents_duration_ms_idx" ON "track_documents" USING btree ("duration_ms","id");--> statement-breakpoint
-- Workers of the release before read these names, and so do their functions. They see one range.
CREATE TEMP TABLE former AS SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = 'listed_track_fits';--> statement-breakpoint
DROP FUNCTION IF EXISTS listed_track_fits;--> statement-breakpoint
DROP TABLE track_search, track_search_unlisted;--> statement-breakpoint
DELETE FROM track_search_ranges WHERE from_id > 0;--> statement-breakpoint
UPDATE track_search_ranges SET to_id = 9223372036854775807;--> statement-breakpoint
CREATE VIEW track_search AS SELECT id, user_id, bpm, duration_ms, document FROM track_documents WHERE listed;--> statement-breakpoint
CREATE VIEW track_search_0 AS SELECT * FROM track_search;--> statement-breakpoint
CREATE VIEW track_search_unlisted AS
SELECT id, user_id, sharing = 'public' AS public, bpm, duration_ms, document FROM track_documents WHERE NOT listed;--> statement-breakpoint
-- Nobody learns words any more, so a prefix stands for itself.
DO $$
BEGIN
  IF EXISTS (SELECT FROM former) THEN
    EXECUTE (SELECT text FROM former);
    UPDATE ledger.functions SET signature = to_regproc('listed_track_fits')::oid::regprocedure WHERE name = 'listed_track_fits';
    EXECUTE 'CREATE OR REPLACE FUNCTION known_words(p_prefix text) RETURNS text LANGUAGE sql STABLE AS ''SELECT p_prefix''';
  END IF;
END $$;
--> statement-breakpoint
DROP TABLE former;
--> statement-breakpoint
-- Lists are planned for the filters that were sent, and pages in memory cost little out of order.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  NULL;
END $$;
