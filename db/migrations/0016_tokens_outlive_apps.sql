ALTER TABLE "client_credentials_grants" DROP CONSTRAINT "client_credentials_grants_app_id_apps_id_fk";
--> statement-breakpoint
ALTER TABLE "client_credentials_grants" ALTER COLUMN "app_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "client_credentials_grants" ADD CONSTRAINT "client_credentials_grants_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;