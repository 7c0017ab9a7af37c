import type { SQL } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { type CallParameters, callOf, type FunctionName } from "./call.ts";
import {
  AT_LENGTH,
  type Checked,
  deadlineCheck,
  QUEUED,
  type Statement,
  USUAL,
  withClockCorrection,
  withDeadline,
} from "./deadline.ts";
import { toRefusal } from "./faults.ts";
import { type Sending, sendPersistently } from "./persistence.ts";
import { READS, REPLICATED } from "./reads.ts";
import { type Position, replicaOf, WRITTEN, type Written } from "./replica.ts";
import { checked, type Shape } from "./shape.ts";
import { type Connection, type Driver, type Drizzle, driverOf } from "./transports/open.ts";

/** Milliseconds. A lock is never awaited longer than an ordinary statement may run. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Writes are rolled back if they end after their deadline. A paused database would otherwise carry out writes already
 * reported as failed. `sending` overrides the mode that the database was opened with.
 */
export interface Database {
  /** Runs one read-only query, given as SQL or by the builder. */
  read<Result>(build: (on: Reader) => Query<Result>): Promise<Result>;
  read<Row>(statement: SQL): Promise<Row[]>;
  /** Runs one write of the builder. Its deadline check shares the transaction and the round trip. */
  write<Result>(build: (on: Drizzle) => Query<Result>, sending?: Sending): Promise<Result>;
  /** Calls one function that returns one value. The busiest paths need no query builder. */
  call: Call;
  /** Calls a function that may take minutes, such as deleting a track with a million favorites. */
  callAtLength: Call;
  drizzle: Drizzle;
}

/** The read-only part of the builder. */
type Reader = Pick<Drizzle, "select" | "selectDistinct">;

/** A statement of the builder, to await or to put in a batch. */
type Query<Result> = RunnableQuery<Result, "pg"> & { then: PromiseLike<Result>["then"] };

type Call = <Name extends FunctionName, Reply>(
  name: Name,
  shape: Shape<Reply>,
  given: CallParameters<Name>,
  sending?: Sending,
) => Promise<Reply>;

interface Observers {
  /** Receives the wall time of each statement. */
  onStatement?: (ms: number) => void;
  /** Receives the ids of webhook deliveries that a committed write has created. */
  onDeliveries?: (ids: number[]) => void;
  /** Receives the ids of mails that a committed write has queued. */
  onMails?: (ids: number[]) => void;
  /** Allows reads of a replica. */
  position?: Position;
}

/** Opens the database once per isolate. No transport keeps a connection between statements, so sharing is safe. */
export function openDatabase(
  connection: Connection,
  { onStatement, onDeliveries, onMails, position }: Observers = {},
  defaultSending: Sending = "once",
): Database {
  const { client, drizzle, endpoint } = driverOf(connection);
  const replica = replicaOf(connection);
  const columns = replica ? `${QUEUED}, ${WRITTEN}` : QUEUED;
  async function timed<Result>(statement: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await statement();
    } finally {
      onStatement?.(performance.now() - startedAt);
    }
  }
  async function send<Result>(statement: () => Promise<Result>, sending: Sending): Promise<Result> {
    try {
      return await sendPersistently(() => timed(statement), sending, endpoint);
    } catch (error) {
      throw toRefusal(error);
    }
  }
  const toReply = <Reply>(name: string, shape: Shape<Reply>, reply: unknown): Reply =>
    connection.CHECK_REPLIES === "on" ? checked(name, shape, reply) : (reply as Reply);
  function read<Result>(build: (on: Reader) => Query<Result>): Promise<Result>;
  function read<Row>(statement: SQL): Promise<Row[]>;
  function read(asked: SQL | ((on: Reader) => Query<unknown>)): Promise<unknown> {
    if (typeof asked === "function") return send(async () => asked(drizzle), "repeatable");
    const { text, parameters } = toStatement(drizzle, asked);
    return send(() => client.query(text, [...parameters]), "repeatable");
  }
  async function askReplica(name: string, call: Statement) {
    const after = REPLICATED.has(name) ? position?.after() : undefined;
    if (!replica || after === undefined || replica.isResting()) return undefined;
    return timed(() => replica.ask(call, after));
  }
  async function evaluate(name: string, call: Statement, sending: Sending): Promise<unknown> {
    const rows =
      (await askReplica(name, call)) ??
      (await send(
        READS.has(name)
          ? () => resultOf(client, call)
          : () => withClockCorrection(() => resultOf(client, withDeadline(call, USUAL), columns)),
        sending,
      ));
    const [row] = rows as ({ result: unknown } & Partial<Checked>)[];
    if (!row) throw new Error(`${name} returned no row`);
    await report(row);
    return row.result;
  }
  /** Passes on what a write's check reports. Waits for the replica if somebody may see less since. */
  async function report(row: Partial<Checked> & Written = {}): Promise<void> {
    const { deliveries, mails, written, restricts } = row;
    if (deliveries) onDeliveries?.(deliveries.split(",").map(Number));
    if (mails) onMails?.(mails.split(",").map(Number));
    if (written) position?.wrote(written);
    if (written && restricts) await replica?.hear(written);
  }
  return {
    drizzle,
    read,
    async write<Result>(build: (on: Drizzle) => Query<Result>, sending = defaultSending) {
      const once = () =>
        drizzle.batch([build(drizzle), drizzle.execute<Checked>(deadlineCheck(USUAL, columns))]);
      const [result, check] = await send(() => withClockCorrection(once), sending);
      await report(check.rows[0]);
      return result as Result;
    },
    call: async (name, shape, given, sending = defaultSending) => {
      const call = callOf(name, given, (expression) => toStatement(drizzle, expression));
      return toReply(name, shape, await evaluate(name, call, sending));
    },
    callAtLength: async (name, shape, given, sending = defaultSending) => {
      const limits = [AT_LENGTH.replyMs - 1_000, LOCK_TIMEOUT_MS];
      const call = callOf(name, given, (expression) => toStatement(drizzle, expression));
      const once = () =>
        client.transaction(
          [client.query(LIMITS, limits), resultOf(client, withDeadline(call, AT_LENGTH), replica && WRITTEN)],
          {
            fetchOptions: { signal: AbortSignal.timeout(AT_LENGTH.replyMs) },
          },
        );
      const [, rows] = await send(() => withClockCorrection(once), sending);
      await report(rows?.[0]);
      return toReply(name, shape, rows?.[0]?.result);
    },
  };
}

/** `more` are columns after the result. PostgreSQL evaluates them in order, so they see what the call has done. */
const resultOf = (client: Driver["client"], { text, parameters }: Statement, more?: string) =>
  client.query(`select ${text} as result${more ? `, ${more}` : ""}`, [...parameters]);

function toStatement(drizzle: Drizzle, statement: SQL): Statement {
  const { sql, params } = drizzle.execute(statement).getQuery();
  return { text: sql, parameters: params };
}

const LIMITS = "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)";
