import { bytea } from "./bytea.ts";
import type { FunctionName } from "./call.ts";
import type { Statement } from "./deadline.ts";

/** A key and the request that it stands for. */
export interface KeyClaim {
  caller: { sessionId: number; clientId: string; userId: number | null };
  keyHash: Uint8Array;
  fingerprint: Uint8Array;
  /** Identifies this request, so that it knows its own statement again. */
  claim: string;
  /** Encrypted; kept with the result. */
  secret: Uint8Array | undefined;
  /** Seconds. */
  keptS: number;
}

/** A request that a client may repeat under a key. */
export interface KeyedRequest {
  /** `undefined` until the whole request was read. */
  claim(): KeyClaim | undefined;
  /** Returns the result of the first request. Throws if the result was not kept. */
  settle(outcome: KeyOutcome): unknown;
}

/** `done_before`: another request with this key did it. `made`: its result was too large to keep. */
export type KeyOutcome =
  | { outcome: "done" | "refused"; result: unknown }
  | { outcome: "done_before"; result: unknown; secret: string | null }
  | { outcome: "made"; id: number | null }
  | { outcome: "running" | "other_request" };

/** The function that does the work of each POST. Its statement claims the request's key and keeps the result with it. */
export const WORKS: ReadonlySet<string> = new Set<FunctionName>([
  "begin_connection",
  "create_classic_track",
  "create_comment",
  "create_playlist",
  "create_release",
  "create_track",
  "create_webhook",
  "favorite_or_repost_playlist",
  "favorite_or_repost_track",
  "open_podcast_import",
  "open_upload",
  "play_track",
  "register_app",
  "redeliver_webhook",
  "retry_track",
  "rotate_app_secret",
  // Replaces the secret; other changes have no key.
  "update_webhook",
  // The work of a request that is repeatable without a key: see `keepKeyAlone`.
  "require_session",
]);

/** Returns the claim of a call's request, or `undefined` if the call is not its work. */
export const claimOf = (request: KeyedRequest | undefined, name: FunctionName): KeyClaim | undefined =>
  WORKS.has(name) ? request?.claim() : undefined;

/** Wraps a call in its key's claim. PostgreSQL evaluates the second argument only if the first is null. */
export function underKey({ text, parameters }: Statement, claim: KeyClaim): Statement {
  const { caller, keyHash, fingerprint, secret } = claim;
  const given = [
    caller.sessionId,
    caller.clientId,
    caller.userId,
    bytea(keyHash),
    bytea(fingerprint),
    claim.claim,
    secret ? bytea(secret) : null,
    claim.keptS,
  ];
  const [session, client, user, key, print, own, sealed, seconds] = given.map(
    (_, at) => `$${parameters.length + at + 1}`,
  );
  return {
    text:
      `coalesce(claim_idempotency_key(${session}, ${client}, ${user}, ${key}, ${print}, ${own}), ` +
      `keep_idempotent_result(${key}, ${print}, ${own}, ${sealed}, ${seconds}, to_jsonb(${text})))`,
    parameters: [...parameters, ...given],
  };
}
