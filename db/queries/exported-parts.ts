import { desc, eq, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "../client.ts";
import { connections } from "../schema/connections.ts";
import { formerAddresses } from "../schema/former-addresses.ts";
import { sessions } from "../schema/grants.ts";
import { reports } from "../schema/moderation.ts";
import { newsMails } from "../schema/news.ts";
import { accounts, apps, siteSessions, users } from "../schema/people.ts";
import { recentPlays } from "../schema/plays.ts";
import { counterNotices, removals } from "../schema/removals.ts";
import { webProfiles } from "../schema/web-profiles.ts";
import { webhooks } from "../schema/webhooks.ts";
import { clientType, revokedFor } from "./apps.ts";
import { deprecatedUsesOf } from "./deprecations.ts";
import { connectedApps, pendingEmail, profileColumns } from "./settings.ts";

/** The short parts of an account's export, without secrets and their hashes. */

export type Item = Record<string, unknown>;

export const object = (fields: Record<string, SQLWrapper>) =>
  sql<Item>`jsonb_build_object(${sql.join(
    Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`;

/** Selects all columns except these, so that the export includes new columns. */
export const without = (table: PgTable, ...columns: string[]) =>
  sql<Item>`to_jsonb(${table}) - ${sql.raw(`'{${columns}}'::text[]`)}`;

export const createdAt = (id: PgColumn) => sql`id_created_at(${id})`;

const all = (item: SQLWrapper, from: SQLWrapper, isTheirs: SQL, order: SQLWrapper) =>
  sql`(select coalesce(jsonb_agg(${item} order by ${order}), '[]') from ${from} where ${isTheirs})`;

/** Answers to a removal. */
const answers = sql`(select coalesce(jsonb_agg(to_jsonb(n) - '{id,removal_id}'::text[] order by n.id), '[]')
  from ${counterNotices} n where n.removal_id = ${removals}.id)`;

/** The short parts of the export. The user's account must be among the tables. */
export const shortParts = (on: Reader, user: SQLWrapper) =>
  object({
    account: object({
      email: accounts.email,
      confirmed_at: accounts.confirmedAt,
      created_at: accounts.createdAt,
      pending_email: pendingEmail(on),
    }),
    profile: object({
      id: users.id,
      permalink: users.permalink,
      plan: users.plan,
      ...profileColumns,
      avatar_version: users.avatarVersion,
      updated_at: users.updatedAt,
    }),
    former_permalinks: all(
      object({
        permalink: formerAddresses.permalink,
        track_id: formerAddresses.trackId,
        playlist_id: formerAddresses.playlistId,
        left_at: formerAddresses.leftAt,
      }),
      formerAddresses,
      eq(formerAddresses.userId, users.id),
      formerAddresses.id,
    ),
    web_profiles: all(
      without(webProfiles, "user_id", "place"),
      webProfiles,
      eq(webProfiles.userId, users.id),
      webProfiles.place,
    ),
    news_mails: all(
      object({ mail: newsMails.mail, kinds: newsMails.kinds }),
      newsMails,
      eq(newsMails.userId, users.id),
      newsMails.mail,
    ),
    reports: all(
      object({
        url: reports.url,
        reason: reports.reason,
        details: reports.details,
        email: reports.email,
        state: reports.state,
        created_at: createdAt(reports.id),
      }),
      reports,
      eq(reports.reporterId, users.id),
      reports.id,
    ),
    /** Cases of operators. Tracks and sets among them stand in their own lists, too. */
    removals: all(
      sql`${without(removals, "user_id", "picture_version", "picture_colors", "sharing", "secret_hash")} || ${object({ answers })}`,
      removals,
      eq(removals.userId, users.id),
      removals.id,
    ),
    recently_played: all(
      object({ track_id: recentPlays.trackId, played_at: recentPlays.playedAt }),
      recentPlays,
      eq(recentPlays.userId, users.id),
      desc(recentPlays.playedAt),
    ),
    apps: all(
      sql`${without(apps, "secret_hash", "previous_secret_hash")} || ${object({ client_type: clientType, revoked_for: revokedFor, deprecated_uses: deprecatedUsesOf(on, apps.id) })}`,
      apps,
      eq(apps.ownerId, users.id),
      apps.id,
    ),
    api_sessions: all(
      object({
        app: apps.name,
        name: sessions.name,
        scope: sessions.scope,
        created_at: sessions.createdAt,
        last_used_at: sessions.lastUsedAt,
        expires_at: sessions.expiresAt,
        revoked_at: sessions.revokedAt,
      }),
      sql`${sessions} join ${apps} on ${eq(apps.id, sessions.appId)}`,
      eq(sessions.userId, users.id),
      sessions.id,
    ),
    site_sessions: all(
      object({
        browser: siteSessions.browser,
        created_at: siteSessions.createdAt,
        expires_at: siteSessions.expiresAt,
        revoked_at: siteSessions.revokedAt,
      }),
      siteSessions,
      eq(siteSessions.userId, users.id),
      siteSessions.createdAt,
    ),
    connected_apps: sql`(select coalesce(jsonb_agg(a), '[]') from ${connectedApps(on, user).as("a")})`,
    connections: all(
      without(connections, "user_id", "tokens_sealed"),
      connections,
      eq(connections.userId, users.id),
      connections.id,
    ),
    // The rest of the URL may be the secret of a stranger's app.
    webhooks: all(
      object({
        id: webhooks.id,
        app_id: webhooks.appId,
        host: webhooks.targetHost,
        events: webhooks.events,
        url: sql`case when ${or(eq(apps.ownerId, users.id), eq(apps.clientId, "site"))} then ${webhooks.url} end`,
        enabled: webhooks.enabled,
        disabled_reason: webhooks.disabledReason,
        created_at: createdAt(webhooks.id),
        updated_at: webhooks.updatedAt,
      }),
      sql`${webhooks} join ${apps} on ${eq(apps.id, webhooks.appId)}`,
      eq(webhooks.userId, users.id),
      webhooks.id,
    ),
  });
