import { index, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, instant, reference } from "./columns.ts";
import { sessions } from "./grants.ts";
import { users } from "./people.ts";

/** Users who may operate the service on its pages. Only the command line makes and removes them. */
export const operators = pgTable("operators", {
  userId: reference()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Secret of the second factor, encrypted. Null until the operator has set it up. */
  secretSealed: bytes(),
  /** Time step of the last accepted code. It and earlier ones are refused. RFC 6238 §5.2 */
  lastStep: reference(),
  /** SHA-256 of the unused recovery codes, base64url. */
  recoveryHashes: text().array().notNull().default([]),
  addedAt: instant().notNull().defaultNow(),
  enrolledAt: instant(),
  /** SHA-256 of the code that the command line printed for the first entry, base64url. Null once it was used. */
  codeHash: text(),
  codeExpiresAt: instant(),
});

/** Sessions of the site that have passed the second factor. They end with the role and with the session. */
export const operatorEntries = pgTable(
  "operator_entries",
  {
    sessionId: reference()
      .primaryKey()
      .references(() => sessions.id, { onDelete: "cascade" }),
    userId: reference()
      .notNull()
      .references(() => operators.userId, { onDelete: "cascade" }),
    passedAt: instant().notNull().defaultNow(),
  },
  (table) => [index("operator_entries_user_id_idx").on(table.userId)],
);
