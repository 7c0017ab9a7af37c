import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { connections } from "../schema/connections.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs, createdAt, firstRow, moment, type SignedIn, signedIn } from "./caller.ts";
import type { Expected } from "./own-tracks.ts";

export const ConnectionRow = () =>
  rowOf(connections)
    .omit({ user_id: true, external_id: true, tokens_sealed: true, leased_until: true })
    .extend({ created_at: z.string() });
export type ConnectionRow = ReplyOf<typeof ConnectionRow>;

/** Kinds of posts that a user allows. Omitted ones stay unchanged; in a new connection they are false. */
interface Posting {
  post_favorite?: boolean;
  post_publish?: boolean;
}

const columns = {
  id: connections.id,
  created_at: createdAt(connections.id),
  updated_at: moment(connections.updatedAt),
  service: connections.service,
  display_name: connections.displayName,
  post_favorite: connections.postFavorite,
  post_publish: connections.postPublish,
};

/** Lists connections below `before`, newest first. */
export const listConnections = (
  db: Database,
  user: SignedIn,
  { before, offset, limit }: { before: number; offset: number; limit: number },
) =>
  db.read((on) =>
    on
      .select(columns)
      .from(connections)
      .where(and(signedIn(user), eq(connections.userId, user.userId), lt(connections.id, before)))
      .orderBy(desc(connections.id))
      .offset(offset)
      .limit(limit),
  );

export const findConnection = (db: Database, user: SignedIn, id: number) =>
  db
    .read((on) =>
      on
        .select(columns)
        .from(connections)
        .where(and(signedIn(user), eq(connections.id, id), eq(connections.userId, user.userId))),
    )
    .then(firstRow);

/** Matches a user's connection as long as its `updated_at` is among the expected. */
const isExpected = (user: SignedIn, id: number, expected: Expected): SQL | undefined =>
  and(
    signedIn(user),
    eq(connections.id, id),
    eq(connections.userId, user.userId),
    expected ? sql`${connections.updatedAt} = any (${sql.param(expected)}::timestamptz[])` : undefined,
  );

/** Tells why a connection is not as expected. */
const refusalOf = async (db: Database, user: SignedIn, id: number) =>
  ({ outcome: (await findConnection(db, user, id)) ? "changed" : "unknown" }) as const;

/** An empty change keeps `updated_at`. */
export async function updateConnection(
  db: Database,
  user: SignedIn,
  id: number,
  { post_favorite, post_publish }: Posting,
  expected: Expected,
) {
  const postFavorite = sql`coalesce(${post_favorite ?? null}, ${connections.postFavorite})`;
  const postPublish = sql`coalesce(${post_publish ?? null}, ${connections.postPublish})`;
  const isSame = sql`(${postFavorite}, ${postPublish}) = (${connections.postFavorite}, ${connections.postPublish})`;
  const [connection] = await db.write((on) =>
    on
      .update(connections)
      .set({
        postFavorite,
        postPublish,
        updatedAt: sql`case when ${isSame} then ${connections.updatedAt} else now() end`,
      })
      .where(isExpected(user, id, expected))
      .returning(columns),
  );
  return connection ? ({ outcome: "done", connection } as const) : refusalOf(db, user, id);
}

export async function deleteConnection(db: Database, user: SignedIn, id: number, expected: Expected) {
  const [deleted] = await db.write((on) =>
    on
      .delete(connections)
      .where(isExpected(user, id, expected))
      .returning({ id: connections.id }),
  );
  return deleted ? ({ outcome: "done" } as const) : refusalOf(db, user, id);
}

interface NewAttempt extends Posting {
  state_hash: string;
  service: string;
  redirect_uri: string;
  verifier_sealed: string;
}

/** `limit` bounds the attempts of one session; older ones end. */
export const beginConnection = (
  db: Database,
  caller: Caller,
  attempt: NewAttempt,
  { ttlS, limit }: { ttlS: number; limit: number },
) => callAs(db, "begin_connection", () => z.strictObject({}), caller, { attempt, ttl_s: ttlS, kept: limit });

export const TakenAttempt = () =>
  z.strictObject({
    outcome: z.literal("taken"),
    /** The session that began the attempt. */
    beginner: z.strictObject({
      session_id: z.number(),
      client_id: z.string(),
      user_id: z.number(),
    }),
    service: z.string(),
    redirect_uri: z.string(),
    /** Base64. */
    verifier_sealed: z.string(),
  });
export type TakenAttempt = ReplyOf<typeof TakenAttempt>;

/** Another browser carries the attempt. It stays untaken, so that the beginner may still complete it. */
export const StoppedAttempt = () =>
  z.strictObject({
    outcome: z.literal("not_the_beginner"),
    /** The user who would get the profile, and the app that asked. */
    username: z.string(),
    app: z.string(),
    service: z.string(),
    redirect_uri: z.string(),
    /** Null if nobody is signed in. */
    signed_in_as: z.string().nullable(),
  });
export type StoppedAttempt = ReplyOf<typeof StoppedAttempt>;

const FoundAttempt = () =>
  z.union([
    TakenAttempt(),
    StoppedAttempt(),
    z.strictObject({
      outcome: z.enum(["used", "running"]),
    }),
    z.strictObject({
      outcome: z.literal("settled"),
      redirect_uri: z.string(),
      succeeded: z.boolean(),
    }),
  ]);

/**
 * Takes an attempt. Null if it is unknown or expired. The statement is never repeated, because a second one would
 * find the attempt taken.
 */
export const takeAttempt = (db: Database, stateHash: string, siteSessionHash: string | undefined) =>
  db.call(
    "take_connection_attempt",
    () => FoundAttempt().nullable(),
    { state_hash: stateHash, site_session: siteSessionHash ?? null },
    "once",
  );

export interface FoundProfile {
  service: string;
  external_id: string;
  display_name: string;
  tokens_sealed: string;
}

/** Saves each profile once, or none if the authorization failed. `saved` tells whether any was. */
export const saveConnections = (db: Database, caller: Caller, stateHash: string, found: FoundProfile[]) =>
  callAs(
    db,
    "save_connections",
    () =>
      z.strictObject({
        saved: z.boolean(),
      }),
    caller,
    { state_hash: stateHash, found: JSON.stringify(found) },
  );
