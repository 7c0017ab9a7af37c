import type { Database } from "../client.ts";
import type { Sending } from "../persistence.ts";

/** Whose session a statement checks before anything else. `userId` is null for an app's own token. */
export interface Caller {
  sessionId: number;
  clientId: string;
  userId: number | null;
}

/** Calls a function of the database whose first three parameters are the caller. */
export const callAs = <Result>(db: Database, name: string, caller: Caller, ...parameters: unknown[]) =>
  db.call<Result>(name, [caller.sessionId, caller.clientId, caller.userId, ...parameters]);

/** As `callAs`, for a function that knows its own repetition. */
export const repeatAs = <Result>(db: Database, name: string, caller: Caller, ...parameters: unknown[]) =>
  db.call<Result>(name, [caller.sessionId, caller.clientId, caller.userId, ...parameters], "repeatable");

/** As `callAs`, for what may have a million rows to go through. */
export const callAtLengthAs = <Result>(
  db: Database,
  name: string,
  caller: Caller,
  parameters: unknown[],
  sending?: Sending,
) =>
  db.callAtLength<Result>(name, [caller.sessionId, caller.clientId, caller.userId, ...parameters], sending);

/** As PostgreSQL reads it in a text parameter. */
export const bytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`;
