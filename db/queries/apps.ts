import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { ask } from "./accounts.ts";
import { type Caller, callAs } from "./caller.ts";

export interface AppRow {
  id: number;
  name: string;
  permalink: string;
  external_url: string | null;
  creator: string;
  creator_permalink: string;
}

/** What its owner sees besides. */
export interface OwnAppRow extends AppRow {
  client_id: string;
  redirect_uris: string[];
  /** Null where only one secret is good. */
  previous_secret_expires_at: string | null;
}

/** `app` is null where there is none, or it is disabled. */
export const findApp = (db: Database, caller: Caller, id: number) =>
  callAs<{ app: AppRow | null }>(db, "find_app", caller, id);

/** For the site, whose visitors have no API session. */
export const findAppByPermalink = async (db: Database, permalink: string): Promise<AppRow | undefined> =>
  (await ask<AppRow | null>(db, sql`find_app_by_permalink(${permalink})`)) ?? undefined;

/** Whose apps are meant: by an access token, or by the site's cookie. Raises where neither stands. */
export type Owner = Caller | { siteSessionHash: string };

const ownerId = (owner: Owner): SQL =>
  "siteSessionHash" in owner
    ? sql`site_owner(${owner.siteSessionHash})`
    : sql`session_user_id(${owner.sessionId}, ${owner.clientId}, ${owner.userId})`;

/** By which client's token an app is managed; null on the site. */
const managedBy = (owner: Owner): string | null => ("siteSessionHash" in owner ? null : owner.clientId);

/** Newest first, below `before`. */
export const listOwnApps = (db: Database, owner: Owner, before: number, limit: number) =>
  ask<{ plan: string; apps: OwnAppRow[] }>(db, sql`list_own_apps(${ownerId(owner)}, ${before}, ${limit})`);

export interface NewApp {
  clientId: string;
  secretHash: string;
  name: string;
  permalink: string;
  /** Stands behind the permalink where that is taken. */
  suffix: string;
  externalUrl: string | null;
  redirectUris: string[];
}

export const registerApp = (db: Database, owner: Owner, app: NewApp) =>
  ask<{ outcome: "free_plan" } | { outcome: "registered"; app: OwnAppRow }>(
    db,
    sql`register_app(${ownerId(owner)}, ${app.clientId}, ${app.secretHash}, ${app.name}, ${app.permalink},
      ${app.suffix}, ${app.externalUrl}, ${JSON.stringify(app.redirectUris)}, ${managedBy(owner)})`,
  );

/** `not_managed`: it is the owner's, but not the token's app's to change. */
type Unmanaged = { outcome: "unknown" | "not_managed" };

/** The secret until now stays good for `overlapS`. */
export const rotateAppSecret = (
  db: Database,
  owner: Owner,
  id: number,
  { secretHash, overlapS }: { secretHash: string; overlapS: number },
) =>
  ask<Unmanaged | { outcome: "rotated"; app: OwnAppRow }>(
    db,
    sql`rotate_app_secret(${ownerId(owner)}, ${id}, ${secretHash}, ${overlapS}, ${managedBy(owner)})`,
  );

/** With its sessions, codes and consents. */
export const deleteApp = (db: Database, owner: Owner, id: number) =>
  ask<Unmanaged | { outcome: "deleted" }>(db, sql`delete_app(${ownerId(owner)}, ${id}, ${managedBy(owner)})`);
