CREATE OR REPLACE FUNCTION index_changed_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM track_documents WHERE id = old.id;
  ELSE
    PERFORM index_track(new);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tracks_are_indexed AFTER INSERT OR DELETE OR UPDATE OF
  title, artist, description, genre, tag_list, track_type, license, sharing, state, streamable, downloadable, paywall,
  available_country_codes, bpm, duration_ms, taken_down_at
ON tracks FOR EACH ROW EXECUTE FUNCTION index_changed_track();
