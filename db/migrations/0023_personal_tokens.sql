ALTER TABLE "sessions" ADD COLUMN "name" text;--> statement-breakpoint
-- Personal tokens are sessions of an app of the service's own. No app that users register has a dot in its permalink.
INSERT INTO apps (client_id, secret_hash, name, permalink, redirect_uris, first_party)
VALUES ('personal', '', 'Personal tokens', 'personal.tokens', '{}', true);
