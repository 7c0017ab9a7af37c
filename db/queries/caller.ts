import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallParameters, FunctionName } from "../call.ts";
import type { Database } from "../client.ts";
import type { Sending } from "../persistence.ts";
import type { Shape } from "../shape.ts";
import type { Functions } from "../signatures.ts";

/** The session that a statement checks first. `userId` is null for an app's own token. */
export interface Caller {
  sessionId: number;
  clientId: string;
  userId: number | null;
}

/** A caller with a user. */
export interface SignedIn extends Caller {
  userId: number;
}

/** True, or the statement fails with `SessionEnded` before it reads or writes. Belongs in the outermost `where`. */
export const signedIn = ({ sessionId, clientId, userId }: Caller) =>
  sql`require_session(${sessionId}, ${clientId}, ${userId})`;

/** Id of the caller, or the statement fails with `SessionEnded`. For values, which no `where` precedes. */
export const callersId = (caller: SignedIn) =>
  sql`case when ${signedIn(caller)} then ${caller.userId}::bigint end`;

/** Id of the site session's user, or the statement fails with `SessionEnded`. For indexed columns of one row. */
export const siteUser = (sessionHash: string) => sql`site_owner(${sessionHash})`;

/** True, like `signedIn`, for a session of the site. Needed where no row may match. */
export const signedInToSite = (sessionHash: string) => sql`${siteUser(sessionHash)} is not null`;

/** First parameters of every function that checks the caller's session. */
interface CallerParameters {
  session: number | null;
  client: string | null;
  user: number | null;
}

/** Functions that check the caller's session. */
type CallerFunction = {
  [Name in FunctionName]: Functions[Name] extends CallerParameters ? Name : never;
}[FunctionName];

type OtherParameters<Name extends CallerFunction> = Omit<CallParameters<Name>, keyof CallerParameters>;

export const sessionOf = ({ sessionId, clientId, userId }: Caller): CallerParameters => ({
  session: sessionId,
  client: clientId,
  user: userId,
});

/** Adds the caller's parameters. TypeScript cannot see that they are those that `Omit` removed. */
const withCaller = <Name extends CallerFunction>(
  caller: Caller,
  given: OtherParameters<Name>,
): CallParameters<Name> => ({ ...sessionOf(caller), ...given }) as CallParameters<Name>;

/** Calls a database function within the caller's session. */
export const callAs = <Name extends CallerFunction, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: OtherParameters<Name>,
  sending?: Sending,
) => db.call(name, shape, withCaller(caller, given), sending);

/** Calls a function that recognizes its own repetition, so that it may be sent again. */
export const repeatAs = <Name extends CallerFunction, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: OtherParameters<Name>,
) => callAs(db, name, shape, caller, given, "repeatable");

/** Calls a function that may process a million rows. */
export const callAtLengthAs = <Name extends CallerFunction, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: OtherParameters<Name>,
  sending?: Sending,
) => db.callAtLength(name, shape, withCaller(caller, given), sending);

/** A time as functions write it in JSON, with microseconds, which a `Date` would lose. PostgreSQL formats JSON slowly. */
export const moment = <Text extends string | null = string>(instant: SQLWrapper) =>
  sql<Text>`${instant}`.mapWith(toIso) as SQL<Text>;

/** From `2026-11-28 08:39:07.687111+00`. */
const toIso = (text: string): string => `${text.replace(" ", "T")}:00`;

/** Epoch of ids. `next_id()` puts milliseconds above 12 bits of sequence. */
export const ID_EPOCH_MS = Date.UTC(2024, 0, 1);
export const IDS_PER_MS = 4096;

/** The lowest id that `next_id` may assign at a moment. */
export const firstIdAt = (at: SQL): SQL<number> =>
  sql<number>`((extract(epoch from ${at}) * 1000)::bigint - ${ID_EPOCH_MS}) * ${IDS_PER_MS}`;

/** The moment at which `next_id` assigned an id. */
export const idTime = (id: number): string =>
  new Date(ID_EPOCH_MS + Math.floor(id / IDS_PER_MS)).toISOString();

/** Creation time of a row, derived from its id. */
export const createdAt = (id: SQLWrapper) =>
  sql<string>`${id}`.mapWith((value: number | string) => idTime(Number(value)));

/** Returns the row of a query that finds at most one. */
export const firstRow = <Row>([row]: Row[]): Row | undefined => row;

/** Returns the row of a statement that always has one. */
export function onlyRow<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}
