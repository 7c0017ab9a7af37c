CREATE TABLE "authorization_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"site_session_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"scope" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"session_id" bigint,
	CONSTRAINT "authorization_codes_nonce_key" UNIQUE("nonce")
);
--> statement-breakpoint
CREATE TABLE "client_credentials_grants" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"app_id" bigint NOT NULL,
	"address" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"user_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"scope" text DEFAULT '' NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_user_id_app_id_pk" PRIMARY KEY("user_id","app_id")
);
--> statement-breakpoint
CREATE TABLE "failures" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"bucket" text NOT NULL,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "mail_tokens_purpose" CHECK ("mail_tokens"."purpose" in ('confirm', 'reset'))
);
--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_site_session_hash_site_sessions_hash_fk" FOREIGN KEY ("site_session_hash") REFERENCES "public"."site_sessions"("hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_credentials_grants" ADD CONSTRAINT "client_credentials_grants_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD CONSTRAINT "mail_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "authorization_codes_session_id_idx" ON "authorization_codes" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "client_credentials_grants_app_idx" ON "client_credentials_grants" USING btree ("app_id","granted_at");--> statement-breakpoint
CREATE INDEX "client_credentials_grants_address_idx" ON "client_credentials_grants" USING btree ("address","granted_at");--> statement-breakpoint
CREATE INDEX "consents_app_id_idx" ON "consents" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "failures_bucket_idx" ON "failures" USING btree ("bucket","failed_at");--> statement-breakpoint
CREATE INDEX "failures_failed_at_idx" ON "failures" USING btree ("failed_at");--> statement-breakpoint
CREATE INDEX "mail_tokens_user_id_idx" ON "mail_tokens" USING btree ("user_id");