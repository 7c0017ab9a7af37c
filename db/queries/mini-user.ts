import type { PgColumn } from "drizzle-orm/pg-core";
import { moment } from "./caller.ts";

/** The table of users, or an alias of it. */
type Users = Record<"id" | "permalink" | "username" | "avatarVersion" | "updatedAt", PgColumn>;

/** Columns of a user whom another resource names. The id comes first: it is null if a left join found nobody. */
export const miniUser = <Of extends Users>(of: Of) => ({
  id: of.id,
  permalink: of.permalink,
  username: of.username,
  avatar_version: of.avatarVersion,
  updated_at: moment(of.updatedAt),
});
