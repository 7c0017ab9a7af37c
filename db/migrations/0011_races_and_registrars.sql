ALTER TABLE "refresh_tokens" ADD COLUMN "race_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD COLUMN "race_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "registered_by" bigint;--> statement-breakpoint
ALTER TABLE "apps" ADD CONSTRAINT "apps_registered_by_apps_id_fk" FOREIGN KEY ("registered_by") REFERENCES "public"."apps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "apps_registered_by_idx" ON "apps" USING btree ("registered_by");--> statement-breakpoint
-- By `p_by`, the client whose token asks: itself, what it registered, all where it is ours. Null is the site, where the owner
-- sits. Else any app with a developer's token could take over all that they run.
CREATE FUNCTION may_manage_app_v1(a apps, p_by text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_by IS NULL OR EXISTS (
    SELECT FROM apps b WHERE b.client_id = p_by AND (b.first_party OR b.id IN (a.id, a.registered_by)))
$$;
