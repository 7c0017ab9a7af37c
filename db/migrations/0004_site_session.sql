-- The site is an app of its own: without an owner, a secret and redirect addresses, so that no other flow opens it.
ALTER TABLE apps ALTER COLUMN owner_id DROP NOT NULL;
INSERT INTO apps (client_id, secret_hash, name, permalink, redirect_uris, first_party)
VALUES ('site', '', 'This site', 'site', '{}', true);
ALTER TABLE sessions ADD COLUMN site_session_hash text
  CONSTRAINT sessions_site_session_hash_site_sessions_hash_fk REFERENCES site_sessions (hash) ON DELETE CASCADE;
CREATE INDEX sessions_site_session_hash_idx ON sessions (site_session_hash) WHERE site_session_hash IS NOT NULL;
