import { type SQLWrapper, sql } from "drizzle-orm";
import type { FunctionName, Given } from "../call.ts";
import type { Database } from "../client.ts";
import type { Sending } from "../persistence.ts";
import type { Shape } from "../shape.ts";
import type { Functions } from "../signatures.ts";

/** Whose session a statement checks before anything else. `userId` is null for an app's own token. */
export interface Caller {
  sessionId: number;
  clientId: string;
  userId: number | null;
}

/** A caller who is a user. */
export interface SignedIn extends Caller {
  userId: number;
}

/** True, or the statement fails with SessionEnded before it reads or writes. Stands in the outermost `where`. */
export const signedIn = ({ sessionId, clientId, userId }: Caller) =>
  sql`require_session(${sessionId}, ${clientId}, ${userId})`;

/** The first parameters of every function that checks a caller's session. */
interface CallerParameters {
  session: number | null;
  client: string | null;
  user: number | null;
}

/** Functions that check a caller's session. */
type OfCaller = {
  [Name in FunctionName]: Functions[Name] extends CallerParameters ? Name : never;
}[FunctionName];

type GivenBeside<Name extends OfCaller> = Omit<Given<Name>, keyof CallerParameters>;

const sessionOf = ({ sessionId, clientId, userId }: Caller): CallerParameters => ({
  session: sessionId,
  client: clientId,
  user: userId,
});

/** A call with its caller. TypeScript cannot see that what `Omit` took out comes back. */
const withCaller = <Name extends OfCaller>(caller: Caller, given: GivenBeside<Name>): Given<Name> =>
  ({ ...sessionOf(caller), ...given }) as Given<Name>;

/** Calls a function of the database in a caller's session. */
export const callAs = <Name extends OfCaller, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: GivenBeside<Name>,
  sending?: Sending,
) => db.call(name, shape, withCaller(caller, given), sending);

/** As `callAs`, for a function that knows its own repetition. */
export const repeatAs = <Name extends OfCaller, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: GivenBeside<Name>,
) => callAs(db, name, shape, caller, given, "repeatable");

/** As `callAs`, for what may have a million rows to go through. */
export const callAtLengthAs = <Name extends OfCaller, Reply>(
  db: Database,
  name: Name,
  shape: Shape<Reply>,
  caller: Caller,
  given: GivenBeside<Name>,
  sending?: Sending,
) => db.callAtLength(name, shape, withCaller(caller, given), sending);

/** As PostgreSQL reads it in a text parameter. */
export const bytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`;

/** A moment as functions answer with it, to the microsecond, which a `Date` would lose. */
export const moment = <Told extends string | null = string>(instant: SQLWrapper) =>
  sql<Told>`to_json(${instant}) #>> '{}'`;

/** When a row came into being, as its id tells. */
export const createdAt = (id: SQLWrapper) => moment(sql`id_created_at(${id})`);

/** Of a query that finds one row or none. */
export const only = <Row>([row]: Row[]): Row | undefined => row;
