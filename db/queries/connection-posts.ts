import { and, eq, isNull, lte, min, or, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { connectionPosts, connections } from "../schema/connections.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";

export const DuePost = () =>
  rowOf(connectionPosts)
    .pick({ id: true, kind: true })
    .extend({
      ...rowOf(tracks).pick({ title: true, permalink: true }).shape,
      user_permalink: z.string(),
      username: z.string(),
    });
export type DuePost = ReplyOf<typeof DuePost>;

export const LeasedPosts = () =>
  rowOf(connections)
    .pick({ service: true, external_id: true })
    .extend({
      leased_until: z.string(),
      /** Base64. */
      tokens_sealed: z.string(),
      posts: z.array(DuePost()),
    });
export type LeasedPosts = ReplyOf<typeof LeasedPosts>;

/**
 * Lists connections that have due posts and no lease, the longest due first. Each counts once, so that a user of many posts
 * delays no other.
 */
export const dueConnections = (db: Database, limit: number): Promise<number[]> =>
  db
    .read((on) =>
      on
        .select({ id: connections.id })
        .from(connectionPosts)
        .innerJoin(connections, eq(connections.id, connectionPosts.connectionId))
        .innerJoin(users, eq(users.id, connections.userId))
        .where(
          and(
            lte(connectionPosts.dueAt, sql`now()`),
            or(isNull(connections.leasedUntil), lte(connections.leasedUntil, sql`now()`)),
            isNull(users.disabledAt),
          ),
        )
        .groupBy(connections.id)
        .orderBy(min(connectionPosts.dueAt))
        .limit(limit),
    )
    .then((rows) => rows.map(({ id }) => id));

/** Leases a connection's due posts. Null if another job holds the lease, or the connection is gone. */
export const leasePosts = (
  db: Database,
  connection: number,
  { leaseS, limit }: { leaseS: number; limit: number },
) =>
  db.call("lease_connection_posts", () => LeasedPosts().nullable(), { connection, lease_s: leaseS, limit });

/** `ended`: the post was sent, refused for good, or is no longer wanted. */
export type PostOutcome = "ended" | "again";

interface Settlement {
  connection: number;
  leasedUntil: string;
  outcomes: Record<number, PostOutcome>;
  /** The service no longer accepts our tokens. */
  refused: boolean;
}

/** `waitS` precedes the second of at most `attempts` attempts. */
export const settlePosts = (
  db: Database,
  { connection, leasedUntil, outcomes, refused }: Settlement,
  { waitS, attempts }: { waitS: number; attempts: number },
) =>
  db.call("settle_connection_posts", () => z.boolean(), {
    connection,
    leased_until: leasedUntil,
    outcomes,
    refused,
    wait_s: waitS,
    attempts,
  });

/** Stores renewed tokens, if the lease is still held. */
export const renewTokens = (db: Database, connection: number, leasedUntil: string, tokensSealed: string) =>
  db.write((on) =>
    on
      .update(connections)
      .set({ tokensSealed: sql`${tokensSealed}` })
      .where(and(eq(connections.id, connection), sql`${connections.leasedUntil} = ${leasedUntil}`)),
  );
