CREATE OR REPLACE FUNCTION index_changed_playlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_playlist(NEW);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER playlists_are_indexed AFTER INSERT OR UPDATE OF title, description, genre, tag_list, sharing ON playlists
FOR EACH ROW EXECUTE FUNCTION index_changed_playlist();
