-- Queues a post of a track that became public, unless it is an episode that was published at another host. Locks the connections
-- by the key, or one that is deleted meanwhile would refuse the change, or the end of an encode.
CREATE OR REPLACE FUNCTION post_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_posts (connection_id, track_id, kind)
  SELECT c.id, NEW.id, 'publish' FROM connections c WHERE c.user_id = NEW.user_id AND c.post_publish
    AND NOT EXISTS (SELECT FROM episodes e WHERE e.track_id = NEW.id AND e.guid IS NOT NULL)
  FOR KEY SHARE OF c
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER publications_are_posted AFTER UPDATE OF state, sharing ON tracks FOR EACH ROW
WHEN (NEW.sharing = 'public' AND NEW.state = 'finished' AND (OLD.sharing <> 'public' OR OLD.state <> 'finished')
  AND OLD.taken_down_at IS NULL)
EXECUTE FUNCTION post_publication();
