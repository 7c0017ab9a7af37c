import { and, eq, inArray, isNull, lt, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { connectionAttempts } from "../schema/connections.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { deprecatedUses } from "../schema/deprecations.ts";
import { sessions } from "../schema/grants.ts";
import { idempotencyKeys } from "../schema/idempotency.ts";
import { playlistInsights, trackInsights, userInsights } from "../schema/insights.ts";
import { mails } from "../schema/mails.ts";
import { authorizationCodes, clientCredentialsGrants, failures, mailTokens } from "../schema/oauth.ts";
import { siteSessions, users } from "../schema/people.ts";
import { playlistSearch } from "../schema/playlist-search.ts";
import { playMarks } from "../schema/plays.ts";
import { podcastImportEpisodes, podcastImports } from "../schema/podcast-imports.ts";
import { episodes } from "../schema/podcasts.ts";
import { knownWords, trackDocuments } from "../schema/search.ts";
import { statusDays } from "../schema/status.ts";
import { uploads } from "../schema/uploads.ts";
import { webhookDeliveries } from "../schema/webhooks.ts";
import { firstIdAt } from "./caller.ts";
import { USES_DAYS, usedWithin } from "./deprecations.ts";
import { HOURS_KEPT_DAYS } from "./insights-range.ts";
import { isShown } from "./status-history.ts";

/** Duties of the sweep. */

const Erased = () =>
  z.strictObject({
    tracks: z.number(),
    users: z.number(),
    /** True if the limit was reached, so that more rows may remain. */
    more: z.boolean(),
  });

/** Deletes up to `rows` rows of users who left, and others' favorites, reposts and comments on them. Objects become garbage. */
export const eraseSome = (db: Database, rows: number) => db.call("erase_some", Erased, { rows });

const now = sql`now()`;
const dayAgo = sql`now() - interval '1 day'`;
const monthAgo = sql`now() - interval '30 days'`;

const documentsWith = (table: PgTable, document: PgColumn, isPublic: SQL) =>
  sql`exists (select from ${table} where ${isPublic} and ${document} @@ quote_literal(${knownWords.word})::tsquery)`;

/** Each hour has its share of the words, so that a month looks at all of them. */
const isDue = sql`abs(hashtext(${knownWords.word}) % 720) = floor(extract(epoch from now()) / 3600)::bigint % 720`;

/** Hours of insights. Days and months stay. */
const oldHours = ({ grain, startedAt }: { grain: PgColumn; startedAt: PgColumn }) =>
  and(eq(grain, sql`'hour'`), lt(startedAt, sql`now() - make_interval(days => ${HOURS_KEPT_DAYS + 1})`));

/** Expired rows of limits, links, sessions and uploads. */
const EXPIRED = {
  failures: { table: failures, when: lt(failures.failedAt, dayAgo) },
  mail_tokens: { table: mailTokens, when: lt(mailTokens.expiresAt, dayAgo) },
  site_sessions: { table: siteSessions, when: lt(siteSessions.expiresAt, dayAgo) },
  grants: { table: clientCredentialsGrants, when: lt(clientCredentialsGrants.grantedAt, dayAgo) },
  dead_letters: { table: deadLetters, when: lt(sql`id_created_at(${deadLetters.id})`, monthAgo) },
  // A code must outlive its form and a month of replays.
  authorization_codes: { table: authorizationCodes, when: lt(authorizationCodes.expiresAt, monthAgo) },
  // Their refresh tokens are deleted by cascade.
  expired_sessions: { table: sessions, when: lt(sessions.expiresAt, dayAgo) },
  revoked_sessions: { table: sessions, when: lt(sessions.revokedAt, monthAgo) },
  idempotency_keys: { table: idempotencyKeys, when: lte(idempotencyKeys.expiresAt, now) },
  failed_mails: {
    table: mails,
    when: and(eq(mails.state, "failed"), lt(mails.id, firstIdAt(monthAgo))),
  },
  // Uploads that became a track are deleted with the track.
  ended_uploads: {
    table: uploads,
    when: and(inArray(uploads.status, ["failed", "aborted", "expired"]), lt(uploads.expiresAt, monthAgo)),
  },
  webhook_deliveries: {
    table: webhookDeliveries,
    when: and(ne(webhookDeliveries.state, "pending"), lt(webhookDeliveries.id, firstIdAt(monthAgo))),
  },
  // Nobody came back to prove a feed, or all has long been here. While our feed says another guid of an episode than its
  // former one did, only the import knows that it is here.
  podcast_imports: {
    table: podcastImports,
    when: or(
      and(
        eq(podcastImports.state, "preview"),
        lt(podcastImports.id, firstIdAt(sql`now() - interval '7 days'`)),
      ),
      and(
        inArray(podcastImports.state, ["done", "cancelled"]),
        lt(podcastImports.endedAt, sql`now() - interval '1 year'`),
        sql`not exists (select from ${podcastImportEpisodes} e join ${episodes} h on h.track_id = e.track_id
          where e.import_id = ${podcastImports.id} and h.guid is distinct from e.guid)`,
      ),
    ),
  },
  // Older marks no longer suppress a second play.
  play_marks: { table: playMarks, when: lt(playMarks.countedAt, sql`now() - interval '390 minutes'`) },
  // No correction shows a word that left all public documents, but somebody may have wanted it gone.
  known_words: {
    table: knownWords,
    when: and(
      isDue,
      not(documentsWith(trackDocuments, trackDocuments.document, eq(trackDocuments.listed, true))),
      not(documentsWith(playlistSearch, playlistSearch.document, eq(playlistSearch.public, true))),
      not(documentsWith(users, users.document, isNull(users.disabledAt))),
    ),
  },
  hours_of_tracks: { table: trackInsights, when: oldHours(trackInsights) },
  hours_of_playlists: { table: playlistInsights, when: oldHours(playlistInsights) },
  hours_of_users: { table: userInsights, when: oldHours(userInsights) },
  status_days: { table: statusDays, when: not(isShown) },
  deprecated_uses: { table: deprecatedUses, when: not(usedWithin(USES_DAYS)) },
  connection_attempts: { table: connectionAttempts, when: lt(connectionAttempts.expiresAt, now) },
} satisfies Record<string, { table: PgTable; when: SQL | undefined }>;

type ExpiredKind = keyof typeof EXPIRED;
export const EXPIRED_KINDS = Object.keys(EXPIRED) as ExpiredKind[];

/**
 * Deletes up to `rows` expired rows and returns their number. A statement without a limit would fail for ever once the rows
 * of a long pause take it more than its five seconds. Skips locked rows, which another sweep may be deleting.
 */
export async function forgetExpired(db: Database, kind: ExpiredKind, rows: number): Promise<number> {
  const { table, when } = EXPIRED[kind];
  const forgotten = await db.write((on) => {
    const some = on
      .select({ ctid: sql`ctid` })
      .from(table as PgTable)
      .where(when)
      .limit(rows);
    return on
      .delete(table)
      .where(sql`ctid = any (array(${some.for("update", { skipLocked: true })}))`)
      .returning({ one: sql<number>`1` });
  });
  return forgotten.length;
}
