import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { sessions } from "../schema/grants.ts";
import { siteSessions } from "../schema/people.ts";
import type { SignedIn } from "./caller.ts";

interface SiteCode {
  /** SHA-256 of the code, base64url. */
  codeHash: string;
  /** S256 of the verifier that the browser keeps. RFC 7636 */
  challenge: string;
}

/** Stores a code for the site. False if the sign-in has ended. */
export const offerSiteCode = (
  db: Database,
  siteSessionHash: string,
  { codeHash, challenge }: SiteCode,
  ttlS: number,
) =>
  db.call(
    "offer_site_code",
    () => z.boolean(),
    { site_session: siteSessionHash, code_hash: codeHash, challenge, ttl: ttlS },
    "repeatable",
  );

/** Opens the site's session, or returns null if the code does not open one. */
export const openSiteSession = (db: Database, { codeHash, challenge }: SiteCode) =>
  db.call("open_site_session", () => z.strictObject({ session: z.number(), user: z.number() }).nullable(), {
    code_hash: codeHash,
    challenge,
  });

/** Opens the user's session of the docs' app, for trying the API. Null if the sign-in has ended. */
export const openDocsSession = (db: Database, siteSessionHash: string, ttlS: number) =>
  db.call(
    "open_docs_session",
    () => z.strictObject({ session: z.number(), client: z.string(), user: z.number() }).nullable(),
    { site_session: siteSessionHash, ttl: ttlS },
  );

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
