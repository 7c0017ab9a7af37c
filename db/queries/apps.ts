import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps, users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs, firstRow } from "./caller.ts";

export const AppRow = () =>
  rowOf(apps)
    .pick({ id: true, name: true, permalink: true, external_url: true })
    .extend({ creator: z.string(), creator_permalink: z.string() });
export type AppRow = ReplyOf<typeof AppRow>;

/** Fields that only the owner sees. */
export const OwnAppRow = () =>
  AppRow().extend({
    ...rowOf(apps).pick({ client_id: true, redirect_uris: true }).shape,
    /** Null if only one secret is valid. */
    previous_secret_expires_at: z.string().nullable(),
  });
export type OwnAppRow = ReplyOf<typeof OwnAppRow>;

/** `app` is null if it does not exist or is disabled. */
export const findApp = (db: Database, caller: Caller, id: number) =>
  callAs(
    db,
    "find_app",
    () =>
      z.strictObject({
        app: AppRow().nullable(),
      }),
    caller,
    { id },
  );

/** Serves the site, whose visitors have no API session. */
export const findAppByPermalink = (db: Database, permalink: string): Promise<AppRow | undefined> =>
  db
    .read((on) =>
      on
        .select({
          id: apps.id,
          name: apps.name,
          permalink: apps.permalink,
          external_url: apps.externalUrl,
          creator: users.username,
          creator_permalink: users.permalink,
        })
        .from(apps)
        .innerJoin(users, eq(users.id, apps.ownerId))
        .where(and(eq(apps.permalink, permalink), isNull(apps.disabledAt), eq(apps.firstParty, false))),
    )
    .then(firstRow);

/** The owner of apps, by access token or site cookie. Statements raise `SessionEnded` if it is invalid. */
export type Owner = Caller | { siteSessionHash: string };

const ownerId = (owner: Owner): SQL =>
  "siteSessionHash" in owner
    ? sql`site_owner(${owner.siteSessionHash})`
    : sql`session_user_id(${owner.sessionId}, ${owner.clientId}, ${owner.userId})`;

/** The client whose token manages the app; null on the site. */
const managedBy = (owner: Owner): string | null => ("siteSessionHash" in owner ? null : owner.clientId);

/** Lists apps below `before`, newest first. */
export const listOwnApps = (db: Database, owner: Owner, before: number, limit: number) =>
  db.call(
    "list_own_apps",
    () =>
      z.strictObject({
        plan: z.string(),
        apps: z.array(OwnAppRow()),
      }),
    { owner: ownerId(owner), before, limit },
  );

export interface NewApp {
  clientId: string;
  secretHash: string;
  name: string;
  permalink: string;
  /** Appended to the permalink if it is taken. */
  suffix: string;
  externalUrl: string | null;
  redirectUris: string[];
}

export const registerApp = (db: Database, owner: Owner, app: NewApp) =>
  db.call(
    "register_app",
    () =>
      z.union([
        z.strictObject({
          outcome: z.literal("free_plan"),
        }),
        z.strictObject({
          outcome: z.literal("registered"),
          app: OwnAppRow(),
        }),
      ]),
    {
      owner: ownerId(owner),
      client: app.clientId,
      secret_hash: app.secretHash,
      name: app.name,
      permalink: app.permalink,
      suffix: app.suffix,
      external_url: app.externalUrl,
      redirect_uris: JSON.stringify(app.redirectUris),
      by: managedBy(owner),
    },
  );

/** `not_managed`: the user owns the app, but the token's app may not change it. */
const Unmanaged = () =>
  z.strictObject({
    outcome: z.enum(["unknown", "not_managed"]),
  });

/** Replaces the secret. The previous one stays valid for `overlapS`. */
export const rotateAppSecret = (
  db: Database,
  owner: Owner,
  id: number,
  { secretHash, overlapS }: { secretHash: string; overlapS: number },
) =>
  db.call(
    "rotate_app_secret",
    () =>
      z.union([
        Unmanaged(),
        z.strictObject({
          outcome: z.literal("rotated"),
          app: OwnAppRow(),
        }),
      ]),
    { owner: ownerId(owner), id, secret_hash: secretHash, overlap: overlapS, by: managedBy(owner) },
  );

/** Deletes an app with its sessions, codes and consents. */
export const deleteApp = (db: Database, owner: Owner, id: number) =>
  db.call(
    "delete_app",
    () =>
      z.union([
        Unmanaged(),
        z.strictObject({
          outcome: z.literal("deleted"),
        }),
      ]),
    { owner: ownerId(owner), id, by: managedBy(owner) },
  );
