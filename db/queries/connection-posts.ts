import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";

export interface DuePost {
  id: number;
  kind: "favorite" | "publish";
  title: string;
  permalink: string;
  user_permalink: string;
  username: string;
}

export interface LeasedPosts {
  leased_until: string;
  service: string;
  external_id: string;
  /** Base64. */
  tokens_sealed: string;
  posts: DuePost[];
}

export const dueConnections = (db: Database, limit: number) => db.call<number[]>("due_connections", [limit]);

/** Null where there is nothing to do for whoever asks. */
export const leasePosts = (
  db: Database,
  connection: number,
  { leaseS, limit }: { leaseS: number; limit: number },
) => db.call<LeasedPosts | null>("lease_connection_posts", [connection, leaseS, limit]);

export type PostOutcome = "done" | "again";

interface Settlement {
  connection: number;
  leasedUntil: string;
  outcomes: Record<number, PostOutcome>;
  /** The service takes nothing from us any more. */
  refused: boolean;
}

/** `waitS` before the second attempt, of `attempts` in all. */
export const settlePosts = (
  db: Database,
  { connection, leasedUntil, outcomes, refused }: Settlement,
  { waitS, attempts }: { waitS: number; attempts: number },
) =>
  db.call<boolean>("settle_connection_posts", [
    connection,
    leasedUntil,
    JSON.stringify(outcomes),
    refused,
    waitS,
    attempts,
  ]);

/** Of whoever holds the lease. */
export const renewTokens = (db: Database, connection: number, leasedUntil: string, tokensSealed: string) =>
  db.execute(sql`update connections set tokens_sealed = ${tokensSealed}
    where id = ${connection} and leased_until = ${leasedUntil}`);
