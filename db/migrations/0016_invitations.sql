CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY DEFAULT next_id() NOT NULL,
	"code_hash" text NOT NULL,
	"note" text,
	"uses" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "invitations_code_hash_key" UNIQUE("code_hash"),
	CONSTRAINT "invitations_used" CHECK ("invitations"."used" between 0 and "invitations"."uses")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "awaits_confirmation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "invitation_id" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_invitation_id_idx" ON "accounts" USING btree ("invitation_id") WHERE "accounts"."invitation_id" is not null;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_awaits_confirmation" CHECK (not "accounts"."awaits_confirmation" or "accounts"."confirmed_at" is null);