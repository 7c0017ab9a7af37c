import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** Messages whose queue gave up, until an operator retries or drops them. */
export const deadLetters = pgTable("dead_letters", {
  id: id(),
  /** The message's own id, because a queue may deliver it twice. */
  messageId: text().notNull().unique("dead_letters_message_id_key"),
  /** The original queue, recognized by the content; `unknown` if the message fits none. */
  queue: text({ enum: ["jobs", "plays", "webhooks", "mails", "unknown"] }).notNull(),
  body: jsonb(),
  /** Set when an operator retries the message. The cron sends it. */
  retryAt: instant(),
});
