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
) => callAs<{ connections: ConnectionRow[] }>(db, "list_connections_v1", caller, before, offset, limit);

/** Null where there is none of theirs. */
export const findConnection = (db: Database, caller: Caller, id: number) =>
  callAs<{ connection: ConnectionRow | null }>(db, "find_connection_v1", caller, id);

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
    "update_connection_v1",
    caller,
    id,
    JSON.stringify(changes),
    expected,
  );

export const deleteConnection = (db: Database, caller: Caller, id: number, expected: string[] | null) =>
  callAs<Unchanged | { outcome: "done" }>(db, "delete_connection_v1", caller, id, expected);

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
) => callAs<Record<never, never>>(db, "begin_connection_v1", caller, JSON.stringify(attempt), ttlS, kept);

export interface TakenAttempt {
  outcome: "taken";
  /** By whose session it was begun. */
  beginner: { session_id: number; client_id: string; user_id: number };
  service: string;
  redirect_uri: string;
  /** Base64. */
  verifier_sealed: string;
  post_favorite: boolean | null;
  post_publish: boolean | null;
}

/** Never sent twice, though browsers come by GET: the second would find nothing. */
export const takeAttempt = (db: Database, stateHash: string, siteSessionHash: string | undefined) =>
  db.call<TakenAttempt | { outcome: "someone_elses" } | null>(
    "take_connection_attempt_v1",
    [stateHash, siteSessionHash ?? null],
    "once",
  );

export interface FoundProfile {
  service: string;
  external_id: string;
  display_name: string;
  tokens_sealed: string;
}

/** No profile twice. */
export const saveConnections = (
  db: Database,
  caller: Caller,
  found: FoundProfile[],
  { post_favorite, post_publish }: Pick<TakenAttempt, "post_favorite" | "post_publish">,
) =>
  callAs<Record<never, never>>(
    db,
    "save_connections_v1",
    caller,
    JSON.stringify(found),
    post_favorite,
    post_publish,
  );

export const forgetConnectionAttempts = (db: Database) =>
  db.execute(sql`delete from connection_attempts where expires_at < now()`);
