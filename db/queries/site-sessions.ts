import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { sessions } from "../schema/grants.ts";
import { authorizationCodes } from "../schema/oauth.ts";
import { apps, siteSessions, users } from "../schema/people.ts";
import { isSignedIn } from "./accounts.ts";
import type { SignedIn } from "./caller.ts";

interface SiteCode {
  /** SHA-256 of the code, base64url. */
  codeHash: string;
  /** S256 of the verifier that the browser keeps. RFC 7636 */
  challenge: string;
}

/** Ends a select of a sign-in. Whoever ends it sees what the statement writes. The user first, like a suspension. */
const LOCKED = sql`for key share of ${users} for share of ${siteSessions}`;

/** Stores a code for the site. False if the sign-in has ended. */
export async function offerSiteCode(
  db: Database,
  siteSessionHash: string,
  { codeHash, challenge }: SiteCode,
  ttlS: number,
): Promise<boolean> {
  const signIn = sql`select ${users.id} as user_id, ${siteSessions.hash} as hash
    from ${siteSessions} join ${users} on ${users.id} = ${siteSessions.userId} where ${isSignedIn(siteSessionHash)} ${LOCKED}`;
  const offered = await db.write(
    (on) =>
      on.execute(sql`with sign_in as (${signIn}), offered as (
        insert into ${authorizationCodes} (hash, app_id, user_id, site_session_hash, nonce, redirect_uri, code_challenge, expires_at)
        select ${codeHash}, ${apps.id}, sign_in.user_id, sign_in.hash, ${codeHash}, '', ${challenge}, now() + make_interval(secs => ${ttlS})
        from sign_in, ${apps} where ${apps.clientId} = 'site' on conflict (hash) do nothing)
      select hash from sign_in`),
    "repeatable",
  );
  return offered.rows.length > 0;
}

/** Opens the site's session, or returns null if the code does not open one. */
export const openSiteSession = (db: Database, { codeHash, challenge }: SiteCode) =>
  db.call(
    "open_site_session",
    () => z.strictObject({ session: z.number(), user: z.number(), operator: z.boolean() }).nullable(),
    { code_hash: codeHash, challenge },
  );

type Opened = { session: number; client: string; user: number };

/**
 * Opens the user's session of the docs' app, for trying the API. It ends with the sign-in. `undefined` if that has ended. The app
 * is made on first use and has no owner, who could give it a secret without the plan that apps may need. A dot keeps its
 * permalink apart from those made of names.
 */
export async function openDocsSession(
  db: Database,
  siteSessionHash: string,
  ttlS: number,
): Promise<Opened | undefined> {
  const opened = await db.writeAll((on) => [
    on
      .insert(apps)
      .values({
        clientId: "docs",
        secretHash: "",
        name: "Try it from the docs",
        permalink: "docs.try",
        redirectUris: [],
      })
      .onConflictDoNothing(),
    on.execute<Opened>(sql`
      insert into ${sessions} (app_id, user_id, site_session_hash, scope, expires_at)
      select ${apps.id}, ${users.id}, ${siteSessions.hash}, '',
        least(now() + make_interval(secs => ${ttlS}), ${siteSessions.expiresAt})
      from ${siteSessions} join ${users} on ${users.id} = ${siteSessions.userId} join ${apps} on ${apps.clientId} = 'docs'
      where ${isSignedIn(siteSessionHash)} ${LOCKED}
      returning ${sessions.id}::float8 as session, 'docs' as client, ${sessions.userId}::float8 as user`),
  ]);
  return opened.rows[0];
}

/** Ends the sign-in that a session of the site belongs to, and with it every session of that sign-in. */
export const endSiteSession = (db: Database, { sessionId, userId }: SignedIn) =>
  db.write((on) =>
    on
      .update(siteSessions)
      .set({ revokedAt: sql`now()` })
      .from(sessions)
      .where(
        and(
          eq(sessions.id, sessionId),
          eq(sessions.userId, userId),
          eq(siteSessions.hash, sessions.siteSessionHash),
          isNull(siteSessions.revokedAt),
        ),
      ),
  );
