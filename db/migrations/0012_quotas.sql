CREATE TABLE "plan_quotas" (
	"plan" text PRIMARY KEY NOT NULL,
	"seconds" bigint,
	"bytes" bigint,
	"tracks" bigint,
	CONSTRAINT "plan_quotas_plan" CHECK ("plan_quotas"."plan" in ('free', 'artist', 'artist-pro')),
	CONSTRAINT "plan_quotas_limits" CHECK (least("plan_quotas"."seconds", "plan_quotas"."bytes", "plan_quotas"."tracks") >= 0)
);
