import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { apps, users } from "../schema/people.ts";
import { webhooks } from "../schema/webhooks.ts";
import type { ReplyOf } from "../shape.ts";
import { Limited, type MailToken, SiteUser, type UsernameKeys } from "./accounts.ts";

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
    owner: z.string(),
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

export const Settings = () =>
  z.strictObject({
    user: SiteUser(),
    profile: Profile(),
    avatar_version: z.string().nullable(),
    apps: z.array(ConnectedApp()),
    webhooks: z.array(AppWebhook()),
    /** An address that awaits confirmation. */
    pending_email: z.string().nullable(),
  });
export type Settings = ReplyOf<typeof Settings>;

export const findSettings = async (db: Database, sessionHash: string): Promise<Settings | undefined> =>
  (await db.call("site_settings", () => Settings().nullable(), { session: sessionHash })) ?? undefined;

export const updateProfile = (db: Database, sessionHash: string, profile: Profile, keys: UsernameKeys) =>
  db.call("update_profile", () => z.enum(["saved", "signed_out", "username_taken"]), {
    session: sessionHash,
    profile,
    keys,
  });

export const SignedOut = () =>
  z.strictObject({
    outcome: z.literal("signed_out"),
  });
export type SignedOut = ReplyOf<typeof SignedOut>;

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

/**
 * `email` receives the link; null if the address belongs to another account. `present` is the current address, which
 * receives the link that stops the change.
 */
export const changeEmail = (
  db: Database,
  change: Change,
  email: string,
  token: MailToken,
  cancelHash: string,
) =>
  db.call(
    "change_email",
    () =>
      z.union([
        SignedOut(),
        Limited(),
        z.strictObject({
          outcome: z.literal("unconfirmed"),
        }),
        z.strictObject({
          outcome: z.literal("sent"),
          email: z.string().nullable(),
          present: z.string(),
        }),
      ]),
    {
      session: change.sessionHash,
      seen_hash: change.seenHash,
      attempt: change.attempt,
      email,
      token: token.hash,
      cancel_token: cancelHash,
      ttl: token.ttlS,
    },
  );

/** Cancels a pending change of address. */
export const withdrawEmailChange = (db: Database, sessionHash: string) =>
  db.call("withdraw_email_change", () => z.boolean(), { session: sessionHash });

export const changePassword = (db: Database, change: Change, passwordHash: string) =>
  db.call("change_password", () => z.boolean(), {
    session: change.sessionHash,
    seen_hash: change.seenHash,
    attempt: change.attempt,
    hash: passwordHash,
  });

/** May run long: everyone who likes one of the user's tracks is recounted. */
export const deleteAccount = (db: Database, change: Change) =>
  db.callAtLength("delete_account", () => z.boolean(), {
    session: change.sessionHash,
    seen_hash: change.seenHash,
    attempt: change.attempt,
  });

export const revokeApp = (db: Database, sessionHash: string, app: number) =>
  db.call("revoke_app", () => z.boolean(), { session: sessionHash, app });

/** Deletes a webhook of any app, with its log. */
export const endWebhook = (db: Database, sessionHash: string, webhook: number) =>
  db.call("end_webhook", () => z.boolean(), { session: sessionHash, id: webhook });

export const exportAccount = (db: Database, sessionHash: string): Promise<object | undefined> =>
  db
    .read<{ exported: object | null }>(sql`
      select export_account(${sessionHash})::jsonb || exported_connections(${sessionHash})
        || exported_plays(${sessionHash}) || export_webhooks(${sessionHash}) as exported`)
    .then(([row]) => row?.exported ?? undefined);

export const Erased = () =>
  z.strictObject({
    tracks: z.number(),
    users: z.number(),
    /** True if the limit was reached, so that more rows may remain. */
    more: z.boolean(),
  });
export type Erased = ReplyOf<typeof Erased>;

/** Deletes up to `rows` rows of users who left, and others' marks on them. Objects become garbage. */
export const eraseSome = (db: Database, rows: number) => db.call("erase_some", Erased, { rows });

export const forgetExpired = (db: Database) => db.execute(sql`select forget_expired()`);
