import { and, count, desc, eq, gt, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { sessions } from "../schema/grants.ts";
import { accounts, apps, siteSessions, users } from "../schema/people.ts";
import { selected } from "../stored-select.ts";
import type { Drizzle } from "../transports/open.ts";
import type { Change } from "./account-changes.ts";
import { isSignedIn } from "./accounts.ts";
import { moment, onlyRow, siteUser } from "./caller.ts";
import { signedInUser } from "./settings.ts";

/** Tokens that users make for their own scripts: sessions of an app that the service has for them. */

export const PERSONAL_CLIENT = "personal";

/** Tokens that a user may have at the same time. */
export const MOST_PERSONAL_TOKENS = 50;

const personalApp = (on: Pick<Drizzle, "select">) =>
  on.select({ id: apps.id }).from(apps).where(eq(apps.clientId, PERSONAL_CLIENT));

const isLiveOf = (on: Pick<Drizzle, "select">, owner: SQLWrapper): SQL | undefined =>
  and(
    eq(sessions.appId, personalApp(on)),
    eq(sessions.userId, owner),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, sql`now()`),
  );

/** `undefined` if nobody is signed in. Newest first. */
export async function findPersonalTokens(db: Database, sessionHash: string) {
  const on = db.drizzle;
  const [[user], tokens] = await db.readAll([
    selected(
      on
        .select({ email: accounts.email })
        .from(siteSessions)
        .innerJoin(users, eq(users.id, siteSessions.userId))
        .innerJoin(accounts, eq(accounts.userId, users.id))
        .where(isSignedIn(sessionHash)),
    ),
    selected(
      on
        .select({
          id: sessions.id,
          name: sql<string>`${sessions.name}`,
          scope: sessions.scope,
          since: moment<string>(sessions.createdAt),
          expires_at: moment<string>(sessions.expiresAt),
          last_used_at: moment<string | null>(sessions.lastUsedAt),
        })
        .from(sessions)
        .where(isLiveOf(on, signedInUser(on, sessionHash)))
        .orderBy(desc(sessions.id)),
    ),
  ]);
  return user && { ...user, tokens };
}
export type PersonalTokens = NonNullable<Awaited<ReturnType<typeof findPersonalTokens>>>;

interface NewPersonalToken {
  name: string;
  scope: string;
  ttlS: number;
}

/** Makes a token after the password matched, and tells the account's address, at most five times an hour. */
export const makePersonalToken = (
  db: Database,
  { sessionHash, seenHash, attempt }: Change,
  { name, scope, ttlS }: NewPersonalToken,
) =>
  db
    .writeAll((on) => {
      // A statement does not see what came while it waited, so the one that counts begins with the lock held.
      const lock = on
        .select({ id: accounts.userId })
        .from(accounts)
        .where(eq(accounts.userId, signedInUser(on, sessionHash)))
        .for("update");
      const maker = on
        .$with("maker")
        .as(
          on
            .select({ id: sql<number | null>`changer`.mapWith(Number).as("maker_id") })
            .from(sql`confirmed_changer(${sessionHash}, ${seenHash}, ${attempt}) as changer`),
        );
      const standing = on
        .select({ count: count() })
        .from(sessions)
        .where(isLiveOf(on, sql`${maker.id}`));
      const made = on.$with("made").as(
        on
          .insert(sessions)
          .select(
            on
              .select({
                id: sql<number>`next_id()`.as("id"),
                appId: apps.id,
                userId: sql<number>`${maker.id}`.as("user_id"),
                siteSessionHash: sql<null>`null::text`.as("site_session_hash"),
                scope: sql<string>`${scope}`.as("scope"),
                createdAt: sql<Date>`now()`.as("created_at"),
                expiresAt: sql<Date>`now() + make_interval(secs => ${ttlS})`.as("expires_at"),
                revokedAt: sql<null>`null::timestamptz`.as("revoked_at"),
                lastUsedAt: sql<null>`null::timestamptz`.as("last_used_at"),
                name: sql<string>`${name}`.as("name"),
              })
              .from(maker)
              .innerJoin(apps, eq(apps.clientId, PERSONAL_CLIENT))
              .where(and(sql`${maker.id} is not null`, lt(sql`(${standing})`, MOST_PERSONAL_TOKENS))),
          )
          .returning({ id: sessions.id, expiresAt: sessions.expiresAt }),
      );
      const facts = sql`jsonb_build_object('scope', ${scope}::text, 'ends_at', ${made.expiresAt})`;
      const allowance = sql`take_attempt(array['mail token-made ' || ${maker.id}], array[5], array[interval '1 hour'])`;
      const notice = sql`queue_mail(${maker.id}, 'token-made', ${accounts.email}, null, null, ${facts})`;
      const making = on
        .with(maker, made)
        .select({
          user: maker.id,
          session: made.id,
          notice: sql`case when ${made.id} is not null and (${allowance}).wait = 0 then ${notice} end`,
        })
        .from(maker)
        .leftJoin(accounts, eq(accounts.userId, maker.id))
        .leftJoin(made, sql`true`);
      return [lock, making];
    })
    .then(onlyRow)
    .then(({ user, session }) => {
      if (user === null) return { outcome: "signed_out" } as const;
      return session === null
        ? ({ outcome: "too_many" } as const)
        : ({ outcome: "made", user, session } as const);
    });

/** Ends one of the user's tokens. A missing one is no error. */
export const endPersonalToken = (db: Database, sessionHash: string, id: number) =>
  db.write((on) =>
    on
      .update(sessions)
      .set({ revokedAt: sql`now()` })
      .where(and(isLiveOf(on, siteUser(sessionHash)), eq(sessions.id, id))),
  );

/** Ends all of them, and switches off the webhooks that they made. */
export const endPersonalTokens = (db: Database, sessionHash: string) =>
  db.callAtLength("end_access", () => z.literal(true), {
    user: siteUser(sessionHash),
    app: sql`(${personalApp(db.drizzle)})`,
    forgets: false,
  });
