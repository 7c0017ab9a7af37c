import type { Database } from "../client.ts";
import { type Caller, callAs, repeatAs } from "./caller.ts";

export interface WebProfileFields {
  service: string;
  title: string | null;
  url: string;
  username: string | null;
}

export interface WebProfileRow extends WebProfileFields {
  id: number;
  created_at: string;
}

export type WebProfileList =
  | { outcome: "done"; profiles: WebProfileRow[] }
  | { outcome: "unknown" | "not_yours" };

export const listWebProfiles = (db: Database, caller: Caller, userId: number) =>
  callAs<WebProfileList>(db, "list_web_profiles", caller, userId);

/** The whole list replaces the one before. */
export const replaceWebProfiles = (
  db: Database,
  caller: Caller,
  userId: number,
  profiles: WebProfileFields[],
) => repeatAs<WebProfileList>(db, "replace_web_profiles", caller, userId, JSON.stringify(profiles));
