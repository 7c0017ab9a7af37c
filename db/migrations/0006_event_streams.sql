CREATE TABLE event_streams (
  user_id bigint PRIMARY KEY CONSTRAINT event_streams_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  opened_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE stream_events (
  id bigint PRIMARY KEY DEFAULT next_id(),
  user_id bigint NOT NULL
    CONSTRAINT stream_events_user_id_event_streams_user_id_fk REFERENCES event_streams (user_id) ON DELETE CASCADE,
  event text NOT NULL,
  subject text,
  data jsonb NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT stream_events_told_once UNIQUE (user_id, event, subject)
);
CREATE INDEX stream_events_user_id_idx ON stream_events (user_id, transaction, id);
