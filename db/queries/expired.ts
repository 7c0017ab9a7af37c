import { inArray, lt, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import * as z from "zod";
import type { Database } from "../client.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { sessions } from "../schema/grants.ts";
import { authorizationCodes, clientCredentialsGrants, failures, mailTokens } from "../schema/oauth.ts";
import { siteSessions } from "../schema/people.ts";

/** Duties of the sweep. */

const Erased = () =>
  z.strictObject({
    tracks: z.number(),
    users: z.number(),
    /** True if the limit was reached, so that more rows may remain. */
    more: z.boolean(),
  });

/** Deletes up to `rows` rows of users who left, and others' marks on them. Objects become garbage. */
export const eraseSome = (db: Database, rows: number) => db.call("erase_some", Erased, { rows });

const dayAgo = sql`now() - interval '1 day'`;
const monthAgo = sql`now() - interval '30 days'`;

/** Sessions per statement, whose refresh tokens are deleted by cascade, and statements per run. */
const SESSIONS = 1_000;
const SESSION_STATEMENTS = 20;

/** Deletes rows of limits, links and sessions that no longer decide anything. */
export async function forgetExpired(db: Database): Promise<void> {
  await db.write((on) => on.delete(failures).where(lt(failures.failedAt, dayAgo)));
  await db.write((on) => on.delete(mailTokens).where(lt(mailTokens.expiresAt, dayAgo)));
  await db.write((on) => on.delete(siteSessions).where(lt(siteSessions.expiresAt, dayAgo)));
  await db.write((on) =>
    on.delete(clientCredentialsGrants).where(lt(clientCredentialsGrants.grantedAt, dayAgo)),
  );
  await db.write((on) => on.delete(deadLetters).where(lt(sql`id_created_at(${deadLetters.id})`, monthAgo)));
  // A code must outlive its form and a month of replays.
  await db.write((on) => on.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, monthAgo)));
  for (let statement = 0; statement < SESSION_STATEMENTS; statement++)
    if (!(await forgetSessions(db)).length) return;
}

const forgetSessions = (db: Database) =>
  db.write((on) => {
    const expired = on.select({ id: sessions.id }).from(sessions).where(lt(sessions.expiresAt, dayAgo));
    const revoked = on.select({ id: sessions.id }).from(sessions).where(lt(sessions.revokedAt, monthAgo));
    const some = unionAll(expired, revoked).limit(SESSIONS);
    return on.delete(sessions).where(inArray(sessions.id, some)).returning({ id: sessions.id });
  });
