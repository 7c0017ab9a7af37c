import { and, eq, isNull, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps, siteSessions, users } from "../schema/people.ts";
import { webhooks } from "../schema/webhooks.ts";
import type { ReplyOf } from "../shape.ts";
import { Limited, type MailToken, type NewSession, SiteUser, type UsernameKeys } from "./accounts.ts";
import { siteUser } from "./caller.ts";
import { QuotaRow } from "./people.ts";

/** Queries behind the settings page. */

/** `country` is ISO 3166-1 alpha-2. */
export const Profile = () =>
  rowOf(users).pick({
    ...{ username: true, full_name: true, city: true, country: true, description: true },
    ...{ website: true, website_title: true, discogs_name: true, myspace_name: true },
  });
export type Profile = ReplyOf<typeof Profile>;

export const ConnectedApp = () =>
  rowOf(apps).pick({ id: true, name: true, external_url: true }).extend({
    /** Null for the docs' own app. */
    owner: z.string().nullable(),
    since: z.string(),
    last_used_at: z.string().nullable(),
    sessions: z.number(),
  });
export type ConnectedApp = ReplyOf<typeof ConnectedApp>;

/** A webhook that reports events about the user to an app. */
export const AppWebhook = () =>
  rowOf(webhooks)
    .pick({ id: true, events: true, enabled: true, disabled_reason: true })
    .extend({ app: z.string(), host: z.string(), created_at: z.string() });
export type AppWebhook = ReplyOf<typeof AppWebhook>;

/** `name` is null if it is not known, `last_used_at` if the browser has not opened the site. */
const SignedInBrowser = () =>
  z.strictObject({
    id: z.string(),
    name: z.string().nullable(),
    since: z.string(),
    last_used_at: z.string().nullable(),
    is_this: z.boolean(),
  });

export const Settings = () =>
  z.strictObject({
    user: SiteUser(),
    profile: Profile(),
    avatar_version: z.string().nullable(),
    quota: QuotaRow(),
    apps: z.array(ConnectedApp()),
    webhooks: z.array(AppWebhook()),
    browsers: z.array(SignedInBrowser()),
    /** An address that awaits confirmation. */
    pending_email: z.string().nullable(),
    /** The mail to an address that is not confirmed yet could not be delivered. */
    mail_failed: z.boolean(),
  });
export type Settings = ReplyOf<typeof Settings>;

export const findSettings = async (db: Database, sessionHash: string): Promise<Settings | undefined> =>
  (await db.call("site_settings", () => Settings().nullable(), { session: sessionHash })) ?? undefined;

/**
 * Omitted fields stay unchanged. False if the username resembles another's. May run long: a new one is written into the
 * search of all the user's tracks.
 */
export const updateProfile = (db: Database, sessionHash: string, profile: Partial<Profile & UsernameKeys>) =>
  db.callAtLength("update_profile", () => z.boolean(), { session: sessionHash, profile });

const SignedOut = () =>
  z.strictObject({
    outcome: z.literal("signed_out"),
  });

/** Counts the attempt and returns the password hash that a change must be verified against. */
export const beginChange = (db: Database, sessionHash: string, address: string) =>
  db.call(
    "begin_change",
    () =>
      z.union([
        SignedOut(),
        Limited(),
        z.strictObject({
          outcome: z.literal("open"),
          settings: Settings(),
          password_hash: z.string(),
          attempt: z.string(),
        }),
      ]),
    { session: sessionHash, address },
  );

/** A change authorized by password. */
export interface Change {
  sessionHash: string;
  /** The hash that the password matched. */
  seenHash: string;
  attempt: string;
}

/** Mails the link of `token` to the new address, and that of `cancel`, which stops the change, to the present one. */
export const changeEmail = (
  db: Database,
  change: Change,
  email: string,
  token: MailToken,
  cancel: MailToken,
) =>
  db.call(
    "change_email",
    () =>
      z.union([
        SignedOut(),
        Limited(),
        z.strictObject({
          outcome: z.enum(["unconfirmed", "same", "sent"]),
        }),
      ]),
    {
      session: change.sessionHash,
      seen_hash: change.seenHash,
      attempt: change.attempt,
      email,
      token: token.hash,
      sealed: token.sealed,
      cancel_token: cancel.hash,
      cancel_sealed: cancel.sealed,
      ttl: token.ttlS,
    },
  );

/** Cancels a pending change of address. */
export const withdrawEmailChange = (db: Database, sessionHash: string) =>
  db.call("withdraw_email_change", () => z.boolean(), { session: sessionHash });

/** May run long, like `revokeApp`: what waits for the webhooks that end has failed. */
export const changePassword = (db: Database, change: Change, passwordHash: string, session: NewSession) =>
  db.callAtLength("change_password", () => z.boolean(), {
    session: change.sessionHash,
    seen_hash: change.seenHash,
    attempt: change.attempt,
    hash: passwordHash,
    new_session: session.hash,
    browser: session.browser ?? null,
    ttl: session.ttlS,
  });

/** May run long: everyone with one of the user's tracks among their favorites is recounted. */
export const deleteAccount = (db: Database, change: Change) =>
  db.callAtLength("delete_account", () => z.boolean(), {
    session: change.sessionHash,
    seen_hash: change.seenHash,
    attempt: change.attempt,
  });

export const revokeApp = (db: Database, sessionHash: string, app: number) =>
  db.callAtLength("revoke_app", () => z.boolean(), { session: sessionHash, app });

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

const Exported = () =>
  z.strictObject({
    /** The short parts, by their names. Only in the first piece. */
    about: z.looseObject({}).nullable(),
    lists: z.array(z.strictObject({ name: z.string(), rows: z.array(z.looseObject({})) })),
    next: z.strictObject({ list: z.string(), after: z.array(z.number()) }).nullable(),
  });
export type Exported = ReplyOf<typeof Exported>;

/** A piece of all that is kept of the user, from where the last one ended. Null if nobody is signed in. */
export const exportAccount = (db: Database, sessionHash: string, from: Exported["next"]) =>
  db.call("export_account", () => Exported().nullable(), { session: sessionHash, from });
