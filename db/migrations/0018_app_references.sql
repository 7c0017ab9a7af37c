CREATE INDEX "authorization_codes_app_id_idx" ON "authorization_codes" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_user_id_idx" ON "authorization_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "apps_owner_id_idx" ON "apps" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "tracks_app_id_idx" ON "tracks" USING btree ("app_id") WHERE "tracks"."app_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_app_id_idx" ON "uploads" USING btree ("app_id") WHERE "uploads"."app_id" is not null;