CREATE TABLE "incident_updates" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"incident_id" bigint NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"parts" text[] NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	CONSTRAINT "incidents_kind" CHECK ("incidents"."kind" in ('incident', 'maintenance')),
	CONSTRAINT "incidents_ends_at" CHECK ("incidents"."kind" = 'incident' or "incidents"."ends_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "status_days" (
	"part" text NOT NULL,
	"day" date NOT NULL,
	"works_s" integer NOT NULL,
	"late_s" integer NOT NULL,
	"fails_s" integer NOT NULL,
	"measured_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_days_part_day_pk" PRIMARY KEY("part","day")
);
--> statement-breakpoint
ALTER TABLE "incident_updates" ADD CONSTRAINT "incident_updates_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_updates_incident_id_idx" ON "incident_updates" USING btree ("incident_id","id");