CREATE TABLE "deprecated_uses" (
	"app_id" bigint NOT NULL,
	"deprecation" text NOT NULL,
	"used_on" date NOT NULL,
	CONSTRAINT "deprecated_uses_app_id_deprecation_pk" PRIMARY KEY("app_id","deprecation")
);
--> statement-breakpoint
CREATE TABLE "deprecation_notices" (
	"app_id" bigint NOT NULL,
	"deprecation" text NOT NULL,
	"notice" text NOT NULL,
	CONSTRAINT "deprecation_notices_app_id_deprecation_notice_pk" PRIMARY KEY("app_id","deprecation","notice")
);
--> statement-breakpoint
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecation_notices" ADD CONSTRAINT "deprecation_notices_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE cascade ON UPDATE no action;