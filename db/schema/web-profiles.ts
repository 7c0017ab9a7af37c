import { pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { id, reference } from "./columns.ts";
import { users } from "./people.ts";

/** Links to a user's other profiles, in the user's order. */
export const webProfiles = pgTable(
  "web_profiles",
  {
    id: id(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    place: smallint().notNull(),
    service: text().notNull(),
    title: text(),
    url: text().notNull(),
    username: text(),
  },
  (table) => [unique("web_profiles_user_id_url_key").on(table.userId, table.url)],
);
