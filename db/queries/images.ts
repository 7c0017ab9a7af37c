import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { ask } from "./accounts.ts";
import { type Caller, callAs } from "./caller.ts";

/** Lists what is about to be stored as garbage. Rows that show it take it out; what nobody ever shows is swept. */
export const listImage = (db: Database, caller: Caller, prefix: string) =>
  callAs<object>(db, "list_image", caller, prefix);

/** False where nobody is signed in. */
export const listSiteImage = (db: Database, sessionHash: string, prefix: string) =>
  ask<boolean>(db, sql`list_site_image(${sessionHash}, ${prefix})`);

/** Null shows the default again. False where nobody is signed in. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  ask<boolean>(db, sql`change_site_avatar(${sessionHash}, ${version})`);
