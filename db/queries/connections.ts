import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";

export interface ConnectionRow {
  id: number;
  created_at: string;
  updated_at: string;
  service: string;
  display_name: string;
  post_favorite: boolean;
  post_publish: boolean;
}

/** What a user may ask of a connection; what is left out stays, and is false of a new one. */
export interface Posting {
  post_favorite?: boolean;
  post_publish?: boolean;
}

/** Newest first, below `before`. */
export const listConnections = (
  db: Database,
  caller: Caller,
  { before, offset, limit }: { before: number; offset: number; limit: number },
) => callAs<{ connections: ConnectionRow[] }>(db, "list_connections", caller, before, offset, limit);

/** Null where there is none of theirs. */
export const findConnection = (db: Database, caller: Caller, id: number) =>
  callAs<{ connection: ConnectionRow | null }>(db, "find_connection", caller, id);

type Unchanged = { outcome: "unknown" | "changed" };

export const updateConnection = (
  db: Database,
  caller: Caller,
  id: number,
  changes: Posting,
  expected: string[] | null,
) =>
  callAs<Unchanged | { outcome: "done"; connection: ConnectionRow }>(
    db,
    "update_connection",
    caller,
    id,
    JSON.stringify(changes),
    expected,
  );

export const deleteConnection = (db: Database, caller: Caller, id: number, expected: string[] | null) =>
  callAs<Unchanged | { outcome: "done" }>(db, "delete_connection", caller, id, expected);

export interface NewAttempt extends Posting {
  state_hash: string;
  service: string;
  redirect_uri: string;
  verifier_sealed: string;
}

/** `kept`: how many of one session may be under way; older ones end. */
export const beginConnection = (
  db: Database,
  caller: Caller,
  attempt: NewAttempt,
  { ttlS, kept }: { ttlS: number; kept: number },
) => callAs<Record<never, never>>(db, "begin_connection", caller, JSON.stringify(attempt), ttlS, kept);

export interface TakenAttempt {
  outcome: "taken";
  /** By whose session it was begun. */
  beginner: { session_id: number; client_id: string; user_id: number };
  service: string;
  redirect_uri: string;
  /** Base64. */
  verifier_sealed: string;
}

/** The browser is not the beginner's. Nothing was taken: they may still come back with it. */
export interface StoppedAttempt {
  outcome: "not_the_beginner";
  /** Whose profile it would be, and by which app. */
  username: string;
  app: string;
  service: string;
  redirect_uri: string;
  /** Null where nobody is signed in. */
  signed_in_as: string | null;
}

type FoundAttempt =
  | TakenAttempt
  | StoppedAttempt
  | { outcome: "used" | "running" }
  /** The beginner's browser heard no answer the first time. */
  | { outcome: "settled"; redirect_uri: string; succeeded: boolean };

/** Null where there is none that counts. Never sent twice: the second would find it taken. */
export const takeAttempt = (db: Database, stateHash: string, siteSessionHash: string | undefined) =>
  db.call<FoundAttempt | null>("take_connection_attempt", [stateHash, siteSessionHash ?? null], "once");

export interface FoundProfile {
  service: string;
  external_id: string;
  display_name: string;
  tokens_sealed: string;
}

/** No profile twice; none where the round trip failed. `saved` is whether any was. */
export const saveConnections = (db: Database, caller: Caller, stateHash: string, found: FoundProfile[]) =>
  callAs<{ saved: boolean }>(db, "save_connections", caller, stateHash, JSON.stringify(found));

export const forgetConnectionAttempts = (db: Database) =>
  db.execute(sql`delete from connection_attempts where expires_at < now()`);
