import * as z from "zod";
import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";

/** Lists what is about to be stored as garbage. Rows that show it take it out; what nobody ever shows is swept. */
export const listImage = (db: Database, caller: Caller, prefix: string) =>
  callAs(db, "list_image", () => z.looseObject({}), caller, { prefix });

/** False where nobody is signed in. */
export const listSiteImage = (db: Database, sessionHash: string, prefix: string) =>
  db.call("list_site_image", () => z.boolean(), { session: sessionHash, prefix });

/** Null shows the default again. False where nobody is signed in. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  db.call("change_site_avatar", () => z.boolean(), { session: sessionHash, version });
