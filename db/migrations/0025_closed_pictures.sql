-- Artwork of a track that was taken down stays closed when its owner replaces it.
ALTER TABLE object_garbage ADD COLUMN closed boolean DEFAULT false NOT NULL;
