CREATE TABLE dead_letters (
  id bigint PRIMARY KEY DEFAULT next_id(),
  message_id text NOT NULL CONSTRAINT dead_letters_message_id_key UNIQUE,
  queue text NOT NULL,
  body jsonb,
  retry_at timestamptz
);
CREATE INDEX encoding_jobs_failed_idx ON encoding_jobs (track_id) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (id) WHERE state = 'failed';
