import { pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { id, reference } from "./columns.ts";
import { users } from "./people.ts";

/** Where else a user is to be found, in the order that the user gave. */
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
