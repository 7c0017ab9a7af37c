-- Artwork of a track that was taken down stays closed when its owner replaces it.
ALTER TABLE object_garbage ADD COLUMN closed boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "object_garbage_closed_idx" ON "object_garbage" USING btree ("prefix") WHERE "object_garbage"."closed";
