-- Numbers order a user's events by their commits. What is there keeps the order of its ids.
ALTER TABLE event_streams ADD COLUMN last bigint DEFAULT next_id() NOT NULL, ADD COLUMN open bigint[] DEFAULT '{}' NOT NULL;
ALTER TABLE stream_events ADD COLUMN number bigint DEFAULT next_id() NOT NULL, ADD COLUMN previous bigint;
UPDATE stream_events e SET number = e.id, previous = p.id
FROM (SELECT id AS of, lag(id) OVER (PARTITION BY user_id ORDER BY id) AS id FROM stream_events) p WHERE p.of = e.id;
UPDATE event_streams s SET last = e.number
FROM (SELECT user_id, max(number) AS number FROM stream_events GROUP BY user_id) e WHERE e.user_id = s.user_id;
CREATE INDEX stream_events_number_idx ON stream_events (user_id, number);
DROP INDEX stream_events_user_id_idx;
