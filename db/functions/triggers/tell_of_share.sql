CREATE OR REPLACE FUNCTION tell_of_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, shared_track_id)
  SELECT new.id, new.user_id, 'shared', t.user_id, t.id FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shares_are_told AFTER INSERT ON track_shares FOR EACH ROW EXECUTE FUNCTION tell_of_share();
