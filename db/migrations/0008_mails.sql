CREATE TABLE mails (
  id bigint PRIMARY KEY DEFAULT next_id(),
  user_id bigint CONSTRAINT mails_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL,
  recipient text NOT NULL,
  token_hash text,
  expires_at timestamptz,
  sealed bytea,
  facts jsonb,
  state text NOT NULL DEFAULT 'waiting',
  tries smallint NOT NULL DEFAULT 0,
  attempt uuid,
  next_attempt_at timestamptz DEFAULT now(),
  dispatched_at timestamptz,
  failure text,
  CONSTRAINT mails_state CHECK (state IN ('waiting', 'failed')),
  CONSTRAINT mails_next_attempt_at CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX mails_user_id_idx ON mails (user_id);
CREATE INDEX mails_due_idx ON mails (next_attempt_at) WHERE state = 'waiting';
