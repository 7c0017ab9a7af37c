import { and, desc, eq, exists, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { auditLog } from "../schema/moderation.ts";
import { apps, users } from "../schema/people.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import type { Drizzle } from "../transports/open.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import {
  type Caller,
  callersId,
  firstRow,
  moment,
  type SignedIn,
  signedIn,
  signedInToSite,
  siteUser,
} from "./caller.ts";
import { type DeprecatedUse, deprecatedUsesOf } from "./deprecations.ts";

/** RFC 6749 §2.1: whether the app can keep a secret. Never changes. */
export const CLIENT_TYPES = ["confidential", "public"] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const AppRow = () =>
  rowOf(apps)
    .pick({ id: true, name: true, permalink: true, external_url: true })
    .extend({ creator: z.string(), creator_permalink: z.string() });
export type AppRow = ReplyOf<typeof AppRow>;

/** Fields that only the owner sees. */
export const OwnAppRow = () =>
  AppRow().extend({
    ...rowOf(apps).pick({ client_id: true, redirect_uris: true }).shape,
    client_type: z.enum(CLIENT_TYPES),
    /** Null if only one secret is valid. */
    previous_secret_expires_at: z.string().nullable(),
    /** When operators revoked it. An owner whose own suspension stopped the app reads nothing. */
    revoked_at: z.string().nullable(),
    /** The operators' words for the owner. Null if they left none. */
    revoked_for: z.string().nullable(),
  });
export type OwnAppRow = ReplyOf<typeof OwnAppRow>;
export type ListedApp = OwnAppRow & { deprecated_uses: DeprecatedUse[] };

const columns = {
  id: apps.id,
  name: apps.name,
  permalink: apps.permalink,
  external_url: apps.externalUrl,
};

const creator = { creator: users.username, creator_permalink: users.permalink };

/** The columns that everybody sees, with the owner joined as `users`. */
export const appColumns = { ...columns, ...creator };

export const clientType = sql<ClientType>`case when ${apps.secretHash} is null then 'public' else 'confidential' end`;

/** Stands in the operators' log, with the newest revocation. */
export const revokedFor = sql<string | null>`case when ${apps.disabledAt} is not null then (
  select ${auditLog.details}->>'message' from ${auditLog}
  where ${auditLog.targetKind} = 'app' and ${auditLog.targetId} = ${apps.id} and ${auditLog.act} = 'app.revoke'
  order by ${auditLog.id} desc limit 1) end`;

const ownColumns = {
  ...columns,
  client_id: apps.clientId,
  client_type: clientType,
  redirect_uris: apps.redirectUris,
  previous_secret_expires_at: moment<string | null>(
    sql`case when ${apps.previousSecretExpiresAt} > now() then ${apps.previousSecretExpiresAt} end`,
  ),
  revoked_at: moment<string | null>(apps.disabledAt),
  revoked_for: revokedFor,
};

const findShown = (db: Database, condition: SQL | undefined): Promise<AppRow | undefined> =>
  db
    .read((on) =>
      on
        .select(appColumns)
        .from(apps)
        .innerJoin(users, eq(users.id, apps.ownerId))
        .where(and(condition, isNull(apps.disabledAt), eq(apps.firstParty, false))),
    )
    .then(firstRow);

/** `id` may be an expression. */
export const findApp = (db: Database, caller: Caller, id: number | SQL) =>
  findShown(db, and(signedIn(caller), eq(apps.id, id)));

/** Serves the site, whose visitors have no API session. */
export const findAppByPermalink = (db: Database, permalink: string) =>
  findShown(db, eq(apps.permalink, permalink));

/** The owner of apps, by access token or site cookie. Statements raise `SessionEnded` if it is invalid. */
export type Owner = SignedIn | { siteSessionHash: string };

/** True, or the statement fails. */
const checked = (owner: Owner): SQL =>
  "siteSessionHash" in owner ? signedInToSite(owner.siteSessionHash) : signedIn(owner);

const idOf = (owner: Owner) => ("siteSessionHash" in owner ? siteUser(owner.siteSessionHash) : owner.userId);

/** Owner of a new app: an insert has no `where`. */
const sessionUser = (owner: Owner): SQL =>
  "siteSessionHash" in owner ? siteUser(owner.siteSessionHash) : callersId(owner);

/** Parameters of functions that check whether the owner may manage an app. */
const managedBy = (owner: Owner) => ({
  owner: sessionUser(owner),
  by: "siteSessionHash" in owner ? null : owner.clientId,
});

const manager = alias(apps, "manager");

/**
 * Matches an app that the owner may manage: any of the owner's on the site, but with a token only the token's app
 * and the apps that it registered. Otherwise an app with a developer's token could take over all the developer's
 * apps.
 */
const isManaged = (on: Pick<Drizzle, "select">, owner: Owner, id: number) =>
  and(
    checked(owner),
    eq(apps.id, id),
    eq(apps.ownerId, idOf(owner)),
    "siteSessionHash" in owner
      ? undefined
      : exists(
          on
            .select({ id: manager.id })
            .from(manager)
            .where(
              and(
                eq(manager.clientId, owner.clientId),
                or(manager.firstParty, eq(manager.id, apps.id), eq(manager.id, apps.registeredBy)),
              ),
            ),
        ),
  );

/** Lists apps below `before`, newest first, with their owner's plan and what they use that ends. */
export async function listOwnApps(
  db: Database,
  owner: Owner,
  before: number,
  limit: number,
): Promise<{ plan: string; apps: ListedApp[] }> {
  const rows = await db.read((on) =>
    on
      .select({
        plan: users.plan,
        ...creator,
        app: ownColumns,
        deprecated_uses: deprecatedUsesOf(on, apps.id),
      })
      .from(users)
      .leftJoin(apps, and(eq(apps.ownerId, users.id), lt(apps.id, before)))
      .where(and(checked(owner), eq(users.id, idOf(owner))))
      .orderBy(desc(apps.id))
      .limit(limit),
  );
  return {
    plan: rows[0]?.plan ?? "free",
    apps: rows.flatMap(({ plan, app, ...more }) => (app ? { ...app, ...more } : [])),
  };
}

interface NewApp {
  clientId: string;
  /** Null for a public app. */
  secretHash: string | null;
  name: string;
  permalink: string;
  /** Appended to the permalink if it is taken. */
  suffix: string;
  externalUrl: string | null;
  redirectUris: string[];
  /** Whether the owner needs a paid plan. */
  needsPlan: boolean;
  budget: BudgetLimit | null;
}

export const registerApp = (db: Database, owner: Owner, app: NewApp) =>
  db.call(
    "register_app",
    () =>
      z.union([
        OverBudget(),
        z.strictObject({
          outcome: z.literal("free_plan"),
        }),
        z.strictObject({
          outcome: z.literal("registered"),
          spent: Spent().nullable(),
          app: OwnAppRow(),
        }),
      ]),
    {
      owner: sessionUser(owner),
      client: app.clientId,
      secret_hash: app.secretHash,
      name: app.name,
      permalink: app.permalink,
      suffix: app.suffix,
      external_url: app.externalUrl,
      redirect_uris: JSON.stringify(app.redirectUris),
      by: "siteSessionHash" in owner ? null : owner.clientId,
      needs_plan: app.needsPlan,
      budget: app.budget,
    },
  );

/** Tells why an app was not changed. `not_managed`: the user owns it, but the token's app may not change it. */
export const whyUnmanaged = async (db: Database, owner: Owner, id: number) => {
  const owned = await db.read((on) =>
    on
      .select({ id: apps.id })
      .from(apps)
      .where(and(checked(owner), eq(apps.id, id), eq(apps.ownerId, idOf(owner)))),
  );
  return owned.length ? "not_managed" : "unknown";
};

/** Replaces the secret. The previous one stays valid for `overlapS`, any older one ends. `unknown`: `whyUnmanaged`. */
export const rotateAppSecret = (
  db: Database,
  owner: Owner,
  id: number,
  { secretHash, overlapS }: { secretHash: string; overlapS: number },
) =>
  db.call("rotate_app_secret", () => changeOf(z.enum(["unknown", "public"]), { app: OwnAppRow() }), {
    ...managedBy(owner),
    id,
    secret_hash: secretHash,
    overlap_s: overlapS,
  });

/**
 * Changes what people see of an app, and where it may lead them. Its permalink stays. So do omitted
 * fields, of which one has to be given. `undefined`: `whyUnmanaged`.
 */
export const updateApp = (
  db: Database,
  owner: Owner,
  id: number,
  app: { [Name in "name" | "externalUrl" | "redirectUris"]: NewApp[Name] | undefined },
) =>
  db
    .write((on) =>
      on
        .update(apps)
        .set(app)
        .where(isManaged(on, owner, id))
        .returning({ id: apps.id }),
    )
    .then(firstRow);

/** Deletes an app with its sessions, codes and consents. Tracks made by it stay. False: `whyUnmanaged`. */
export const deleteApp = (db: Database, owner: Owner, id: number) =>
  db.callAtLength("delete_app", () => z.boolean(), { ...managedBy(owner), id });
