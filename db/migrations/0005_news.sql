CREATE TABLE "news" (
	"id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"actor_id" bigint NOT NULL,
	"subject_id" bigint NOT NULL,
	CONSTRAINT "news_kind" CHECK ("news"."kind" in ('track-repost', 'playlist-like', 'playlist-repost'))
);
--> statement-breakpoint
CREATE TABLE "news_mails" (
	"user_id" bigint NOT NULL,
	"mail" text NOT NULL,
	"kinds" text[] NOT NULL,
	"looked_id" bigint NOT NULL,
	"next_look_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "news_mails_user_id_mail_pk" PRIMARY KEY("user_id","mail"),
	CONSTRAINT "news_mails_mail" CHECK ("news_mails"."mail" in ('comments', 'followers', 'likes', 'tracks', 'daily')),
	CONSTRAINT "news_mails_kinds" CHECK ("news_mails"."kinds" <@ '{comments,followers,likes,tracks}'::text[])
);
--> statement-breakpoint
CREATE TABLE "news_seen" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"seen_id" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "news_mails" ADD CONSTRAINT "news_mails_user_id_accounts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."accounts"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_seen" ADD CONSTRAINT "news_seen_user_id_accounts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."accounts"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "news_user_id_idx" ON "news" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "news_mails_next_look_at_idx" ON "news_mails" USING btree ("next_look_at");--> statement-breakpoint
-- Earlier events are no news.
INSERT INTO news_seen (user_id, seen_id) SELECT user_id, next_id() FROM accounts;
