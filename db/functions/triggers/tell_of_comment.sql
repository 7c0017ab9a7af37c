-- Creates the activities of a comment, except for its author.
CREATE OR REPLACE FUNCTION tell_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activities (id, user_id, about, actor_id, comment_id, answers)
  SELECT new.id, r.user_id, CASE WHEN bool_or(r.own) THEN 'own' ELSE 'conversation' END, new.user_id, new.id, bool_or(NOT r.own)
  FROM (SELECT t.user_id, true AS own FROM tracks t WHERE t.id = new.track_id AND t.user_id <> new.user_id
    UNION ALL SELECT user_id, false FROM answered_by(new) user_id) r
  GROUP BY r.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER comments_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_of_comment();
