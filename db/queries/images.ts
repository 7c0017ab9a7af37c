import * as z from "zod";
import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";

/** Lists a prefix as garbage before its objects are stored. Rows that show it remove it again. */
export const listImage = (db: Database, caller: Caller, prefix: string) =>
  callAs(db, "list_image", () => z.looseObject({}), caller, { prefix });

/** False if nobody is signed in. */
export const listSiteImage = (db: Database, sessionHash: string, prefix: string) =>
  db.call("list_site_image", () => z.boolean(), { session: sessionHash, prefix });

/** Null restores the default avatar. False if nobody is signed in. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  db.call("change_site_avatar", () => z.boolean(), { session: sessionHash, version });
