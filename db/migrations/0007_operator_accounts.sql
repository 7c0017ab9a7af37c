CREATE TABLE operators (
  user_id bigint PRIMARY KEY CONSTRAINT operators_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  secret_sealed bytea,
  last_step bigint,
  recovery_hashes text[] NOT NULL DEFAULT '{}',
  added_at timestamptz NOT NULL DEFAULT now(),
  enrolled_at timestamptz
);
CREATE TABLE operator_entries (
  session_id bigint PRIMARY KEY CONSTRAINT operator_entries_session_id_sessions_id_fk REFERENCES sessions (id) ON DELETE CASCADE,
  user_id bigint NOT NULL CONSTRAINT operator_entries_user_id_operators_user_id_fk REFERENCES operators (user_id) ON DELETE CASCADE,
  passed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX operator_entries_user_id_idx ON operator_entries (user_id);
