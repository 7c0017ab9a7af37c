import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** Invitations to sign up. The audit log says who made and who ended one. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    /** SHA-256 of the code, base64url. */
    codeHash: text().notNull().unique("invitations_code_hash_key"),
    /** An operator's words, for operators. */
    note: text(),
    /** Accounts that it may make, and those that it made. */
    uses: integer().notNull(),
    used: integer().notNull().default(0),
    expiresAt: instant().notNull(),
    /** Set if an operator ended it before that. */
    endedAt: instant(),
  },
  (table) => [check("invitations_used", sql`${table.used} between 0 and ${table.uses}`)],
);
