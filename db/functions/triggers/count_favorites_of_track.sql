-- Adds a track to the public favorites of everyone whose favorite it is, or removes it.
CREATE OR REPLACE FUNCTION count_favorites_of_track() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users o WHERE o.id = old.user_id AND o.disabled_at IS NULL) THEN
    PERFORM FROM tracks WHERE id = old.id FOR UPDATE;
    INSERT INTO counter_deltas (kind, subject_id, counter, delta)
    SELECT 'user', f.user_id, 'public_favorites_count', CASE WHEN old.sharing = 'public' AND old.state <> 'failed' THEN -1 ELSE 1 END
    FROM favorites f WHERE f.track_id = old.id;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN old ELSE new END;
END $$;

CREATE OR REPLACE TRIGGER favorites_of_changed_track_are_counted BEFORE UPDATE OF sharing, state ON tracks FOR EACH ROW
WHEN ((old.sharing = 'public' AND old.state <> 'failed') <> (new.sharing = 'public' AND new.state <> 'failed'))
EXECUTE FUNCTION count_favorites_of_track();
CREATE OR REPLACE TRIGGER favorites_of_deleted_track_are_counted BEFORE DELETE ON tracks FOR EACH ROW
WHEN (old.sharing = 'public' AND old.state <> 'failed') EXECUTE FUNCTION count_favorites_of_track();
