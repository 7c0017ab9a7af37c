import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** Messages that their queue gave up, until an operator retries or drops them. */
export const deadLetters = pgTable("dead_letters", {
  id: id(),
  /** The message's own id, because a queue may deliver it twice. */
  messageId: text().notNull().unique("dead_letters_message_id_key"),
  /** The queue that it was for, by its content; `unknown` if it fits none. */
  queue: text({ enum: ["jobs", "plays", "webhooks", "mails", "unknown"] }).notNull(),
  body: jsonb(),
  /** Set once an operator wants it sent again. The cron does. */
  retryAt: instant(),
});
