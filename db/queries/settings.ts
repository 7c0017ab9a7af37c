import {
  and,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  max,
  min,
  ne,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { sessions } from "../schema/grants.ts";
import { mails } from "../schema/mails.ts";
import { consents, mailTokens } from "../schema/oauth.ts";
import { accounts, apps, siteSessions, users } from "../schema/people.ts";
import { webhooks } from "../schema/webhooks.ts";
import { selected } from "../stored-select.ts";
import type { Drizzle } from "../transports/open.ts";
import { isSignedIn, siteUserColumns, type UsernameKeys } from "./accounts.ts";
import { createdAt, moment, siteUser } from "./caller.ts";
import { ChangeOfProfile, type QuotaRow } from "./people.ts";
import { storedBytesOf } from "./stored-objects.ts";

/** Queries behind the settings page. */

/** `country` is ISO 3166-1 alpha-2. */
export const profileColumns = {
  username: users.username,
  full_name: users.fullName,
  city: users.city,
  country: users.country,
  description: users.description,
  website: users.website,
  website_title: users.websiteTitle,
  discogs_name: users.discogsName,
  myspace_name: users.myspaceName,
};

type Reader = Pick<Drizzle, "select">;

/** Id of the user who is signed in by a browser's session, as a subquery. Null if nobody is signed in. */
export const signedInUser = (on: Reader, sessionHash: string) =>
  on
    .select({ id: users.id })
    .from(siteSessions)
    .innerJoin(users, eq(users.id, siteSessions.userId))
    .where(isSignedIn(sessionHash));

/** The address that awaits confirmation. `accounts` must be among the tables. */
export const pendingEmail = (on: Reader) =>
  sql<string | null>`${on
    .select({ email: mailTokens.email })
    .from(mailTokens)
    .where(
      and(
        eq(mailTokens.userId, accounts.userId),
        eq(mailTokens.purpose, "confirm"),
        isNull(mailTokens.usedAt),
        gt(mailTokens.expiresAt, sql`now()`),
        ne(mailTokens.email, accounts.email),
      ),
    )
    .orderBy(desc(mailTokens.expiresAt))
    .limit(1)}`;

/** Lists apps with the user's consent or a live session, except our own pages. */
export function connectedApps(on: Reader, owner: SQLWrapper) {
  const isOpen = and(
    eq(sessions.userId, owner),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, sql`now()`),
  );
  const consent = eq(consents.userId, owner);
  const letIn = union(
    on.select({ app: consents.appId }).from(consents).where(consent),
    on.select({ app: sessions.appId }).from(sessions).where(isOpen),
  );
  const since = sql`least(${consents.grantedAt}, ${min(sessions.createdAt)})`;
  return on
    .select({
      id: apps.id,
      name: apps.name,
      /** Null for the docs' own app. */
      owner: sql<string | null>`${users.username}`.as("owner"),
      /** All that the user allowed. The docs' own app has a session without consent. */
      scope: sql<string>`coalesce(${consents.scope}, ${max(sessions.scope)})`.as("scope"),
      since: moment(since).as("since"),
      sessions: count(sessions.id).as("sessions"),
      external_url: apps.externalUrl,
      last_used_at: moment<string | null>(max(sessions.lastUsedAt)).as("last_used_at"),
    })
    .from(apps)
    .leftJoin(users, eq(users.id, apps.ownerId))
    .leftJoin(consents, and(eq(consents.appId, apps.id), consent))
    .leftJoin(sessions, and(eq(sessions.appId, apps.id), isOpen))
    .where(and(inArray(apps.id, letIn), eq(apps.firstParty, false)))
    .groupBy(apps.id, users.username, consents.grantedAt, consents.scope)
    .orderBy(desc(since));
}
export type ConnectedApp = Awaited<ReturnType<typeof connectedApps>>[number];

/** Lists webhooks that report events about the user, newest first. Only the host, as the rest may be the app's secret. */
const webhooksAbout = (on: Reader, owner: SQLWrapper) =>
  on
    .select({
      id: webhooks.id,
      app: apps.name,
      host: webhooks.targetHost,
      events: webhooks.events,
      enabled: webhooks.enabled,
      disabled_reason: webhooks.disabledReason,
      created_at: createdAt(webhooks.id),
    })
    .from(webhooks)
    .innerJoin(apps, eq(apps.id, webhooks.appId))
    .where(eq(webhooks.userId, owner))
    .orderBy(desc(webhooks.id));
export type AppWebhook = Awaited<ReturnType<typeof webhooksAbout>>[number];

/** Lists the browsers in which the user is signed in: this one, then the latest. The id begins the hash and opens nothing. */
function signedInBrowsers(on: Reader, owner: SQLWrapper, thisHash: string) {
  const lastUse = on
    .select({ at: max(sessions.lastUsedAt) })
    .from(sessions)
    .where(and(eq(sessions.userId, siteSessions.userId), eq(sessions.siteSessionHash, siteSessions.hash)));
  const isThis = eq(siteSessions.hash, thisHash);
  return on
    .select({
      id: sql<string>`left(${siteSessions.hash}, 16)`,
      /** Null if it is not known. */
      name: siteSessions.browser,
      since: moment<string>(siteSessions.createdAt),
      /** Null if the browser has not opened the site. */
      last_used_at: moment<string | null>(lastUse),
      is_this: sql<boolean>`${isThis}`,
    })
    .from(siteSessions)
    .where(
      and(
        eq(siteSessions.userId, owner),
        isNull(siteSessions.revokedAt),
        gt(siteSessions.expiresAt, sql`now()`),
      ),
    )
    .orderBy(desc(isThis), desc(siteSessions.createdAt));
}

/** `undefined` if nobody is signed in. */
export async function findSettings(db: Database, sessionHash: string) {
  const on = db.drizzle;
  const owner = signedInUser(on, sessionHash);
  const failed = on
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, users.id), eq(mails.kind, "confirm"), eq(mails.state, "failed")));
  const [[found], apps, webhooks, browsers] = await db.readAll([
    selected(
      on
        .select({
          user: siteUserColumns,
          profile: profileColumns,
          avatar_version: users.avatarVersion,
          quota: sql<QuotaRow>`quota_of(${users.id})`,
          stored: storedBytesOf(sql`${users.id}`),
          pending_email: pendingEmail(on),
          // A new address is left out: another account may have it, and a missing failure would reveal that.
          mail_failed: sql<boolean>`${and(isNull(accounts.confirmedAt), exists(failed))}`,
        })
        .from(siteSessions)
        .innerJoin(users, eq(users.id, siteSessions.userId))
        .innerJoin(accounts, eq(accounts.userId, users.id))
        .where(isSignedIn(sessionHash)),
    ),
    selected(connectedApps(on, owner)),
    selected(webhooksAbout(on, owner)),
    selected(signedInBrowsers(on, owner, sessionHash)),
  ]);
  return found && { ...found, apps, webhooks, browsers };
}
export type Settings = NonNullable<Awaited<ReturnType<typeof findSettings>>>;
export type Profile = Settings["profile"];

/**
 * Omitted fields stay unchanged. False if the username resembles another's. May run long: a new one is written into the
 * search of all the user's tracks.
 */
export const updateProfile = (db: Database, sessionHash: string, profile: Partial<Profile & UsernameKeys>) =>
  db
    .callAtLength("change_profile", ChangeOfProfile, {
      user: siteUser(sessionHash),
      changes: profile,
      expected: null,
    })
    .then((outcome) => outcome === "done");

/** Cancels a pending change of address. */
export const withdrawEmailChange = (db: Database, sessionHash: string) =>
  db.call("withdraw_email_change", () => z.boolean(), { user: siteUser(sessionHash), keep: null });

/** Revokes the app's access to the user. */
export const revokeApp = (db: Database, sessionHash: string, app: number) =>
  db.callAtLength("end_access", () => z.literal(true), { user: siteUser(sessionHash), app, forgets: true });

/** Deletes a webhook of any app, with its log. A missing one is no error. */
export const endWebhook = (db: Database, sessionHash: string, webhook: number) =>
  db.callAtLength("delete_webhook", () => z.boolean(), {
    owner: siteUser(sessionHash),
    by: null,
    id: webhook,
  });

/** Signs out the user's browser with this id, or all but this one. A missing one is no error. */
export const endBrowsers = (db: Database, sessionHash: string, id?: string) =>
  db.write((on) =>
    on
      .update(siteSessions)
      .set({ revokedAt: sql`now()` })
      .where(
        and(
          eq(siteSessions.userId, siteUser(sessionHash)),
          isNull(siteSessions.revokedAt),
          ne(siteSessions.hash, sessionHash),
          id === undefined ? undefined : eq(sql`left(${siteSessions.hash}, 16)`, id),
        ),
      ),
  );
