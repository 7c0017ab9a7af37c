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
import { isFunctionMissing, toRefusal } from "./faults.ts";
import { type Reading, toStatement } from "./kept.ts";
import { claimOf, type KeyClaim, type KeyedRequest, type KeyOutcome, underKey } from "./keyed.ts";
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
  read<Row>(reading: Reading<Row>): Promise<Row[]>;
  /** Runs several reads in one round trip. They may see different moments. */
  readAll<Rows extends unknown[]>(
    readings: { [At in keyof Rows]: Reading<Rows[At]> },
  ): Promise<{
    [At in keyof Rows]: Rows[At][];
  }>;
  /** Runs one write of the builder. Its deadline check shares the transaction and the round trip. */
  write<Result>(build: (on: Drizzle) => Query<Result>, sending?: Sending): Promise<Result>;
  /** Calls one function that returns one value. The busiest paths need no query builder. */
  call: Call;
  /** Calls a function that writes, and reads what it has left. All share one transaction and one round trip. */
  callThenRead: CallThenRead;
  /** Calls a function that may take minutes, such as deleting a track with a million favorites. */
  callAtLength: Call;
  /** Returns the database for a request with a key: the statement that does its work keeps the result under the key. */
  under(request: KeyedRequest): Database;
  drizzle: Drizzle;
}

/** The read-only part of the builder. */
export type Reader = Pick<Drizzle, "$count" | "select" | "selectDistinct">;

/** A statement of the builder, to await or to put in a batch. */
type Query<Result> = RunnableQuery<Result, "pg"> & { then: PromiseLike<Result>["then"] };

type Call = <Name extends FunctionName, Reply>(
  name: Name,
  shape: Shape<Reply>,
  given: CallParameters<Name>,
  sending?: Sending,
) => Promise<Reply>;

type CallThenRead = <Name extends FunctionName, Reply, Rows extends unknown[]>(
  name: Name,
  shape: Shape<Reply>,
  given: CallParameters<Name>,
  readings: { [At in keyof Rows]: Reading<Rows[At]> },
  sending?: Sending,
) => Promise<{ reply: Reply; read: { [At in keyof Rows]: Rows[At][] } }>;

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

/** Opens the database for one request or task. No transport keeps a connection between statements, so all share one. */
export const openDatabase = (
  connection: Connection,
  observers: Observers = {},
  sending: Sending = "once",
): Database => new ObservedDatabase(connection, observers, sending);

class ObservedDatabase implements Database {
  readonly drizzle: Drizzle;
  readonly #client: Driver["client"];
  readonly #endpoint: Driver["endpoint"];
  readonly #replica: ReturnType<typeof replicaOf>;
  readonly #checksReplies: boolean;
  readonly #connection: Connection;
  readonly #observers: Observers;
  readonly #sending: Sending;
  readonly #request: KeyedRequest | undefined;

  constructor(connection: Connection, observers: Observers, sending: Sending, request?: KeyedRequest) {
    const { drizzle, client, endpoint } = driverOf(connection);
    this.drizzle = drizzle;
    this.#client = client;
    this.#endpoint = endpoint;
    this.#replica = replicaOf(connection);
    this.#checksReplies = connection.CHECK_REPLIES === "on";
    this.#connection = connection;
    this.#observers = observers;
    this.#sending = sending;
    this.#request = request;
  }

  under = (request: KeyedRequest): Database =>
    new ObservedDatabase(this.#connection, this.#observers, this.#sending, request);

  read<Result>(build: (on: Reader) => Query<Result>): Promise<Result>;
  read<Row>(statement: SQL): Promise<Row[]>;
  read<Row>(reading: Reading<Row>): Promise<Row[]>;
  async read(asked: SQL | Reading<unknown> | ((on: Reader) => Query<unknown>)): Promise<unknown> {
    if (typeof asked === "function") return this.#send(async () => asked(this.drizzle), "repeatable");
    if ("toRows" in asked) return (await this.readAll([asked]))[0];
    const { text, parameters } = toStatement(asked);
    return this.#send(() => this.#client.query(text, [...parameters]), "repeatable");
  }

  async readAll<Rows extends unknown[]>(readings: { [At in keyof Rows]: Reading<Rows[At]> }) {
    const ask = (statements: Statement[]) => {
      const selects = this.#selects(statements);
      return selects.length === 1 ? Promise.all(selects) : this.#client.transaction(selects);
    };
    const raw = await this.#send(() => askKept(readings, ask), "repeatable");
    return rowsOf<Rows>(readings, raw);
  }

  /** Not sent yet. */
  #selects(statements: Statement[]) {
    return statements.map(({ text, parameters }) => this.#client.query(text, [...parameters], ARRAYS));
  }

  async write<Result>(build: (on: Drizzle) => Query<Result>, sending = this.#sending): Promise<Result> {
    const { drizzle } = this;
    const once = () =>
      drizzle.batch([build(drizzle), drizzle.execute<Checked>(deadlineCheck(USUAL, this.#noted))]);
    const [result, check] = await this.#send(() => withClockCorrection(once), sending);
    await this.#report(check.rows[0]);
    return result as Result;
  }

  call: Call = async (name, shape, given, sending = this.#sending) => {
    const call = this.#callOf(name, given);
    const claim = claimOf(this.#request, name);
    if (claim) return this.#toReply(name, shape, await this.#work(name, call, claim));
    const rows = (await this.#askReplica(name, call)) ?? (await this.#askPrimary(name, call, sending));
    return this.#toReply(name, shape, await this.#resultOf(name, rows));
  };

  callThenRead: CallThenRead = async (name, shape, given, readings, sending = this.#sending) => {
    const call = this.#callOf(name, given);
    const write = () => resultOf(this.#client, withDeadline(call, USUAL), this.#noted);
    const ask = (selects: Statement[]) => this.#client.transaction([write(), ...this.#selects(selects)]);
    const once = () => withClockCorrection(() => askKept(readings, ask));
    const [rows = [], ...raw] = await this.#send(once, sending);
    const reply = this.#toReply(name, shape, await this.#resultOf(name, rows));
    return { reply, read: rowsOf(readings, raw) };
  };

  /** Does the work of a request with a key, or returns what the first request with it did. */
  async #work(name: string, call: Statement, claim: KeyClaim): Promise<unknown> {
    const rows = await this.#askPrimary(name, underKey(call, claim), "repeatable");
    return this.#request?.settle((await this.#resultOf(name, rows)) as KeyOutcome);
  }

  async #resultOf(name: string, [row]: Record<string, unknown>[]): Promise<unknown> {
    if (!row) throw new Error(`${name} returned no row`);
    await this.#report(row);
    return row.result;
  }

  callAtLength: Call = async (name, shape, given, sending = this.#sending) => {
    const client = this.#client;
    const limits = [AT_LENGTH.replyMs - 1_000, LOCK_TIMEOUT_MS];
    const call = this.#callOf(name, given);
    const once = () =>
      client.transaction(
        [client.query(LIMITS, limits), resultOf(client, withDeadline(call, AT_LENGTH), this.#noted)],
        { fetchOptions: { signal: AbortSignal.timeout(AT_LENGTH.replyMs) } },
      );
    const [, rows] = await this.#send(() => withClockCorrection(once), sending);
    await this.#report(rows?.[0]);
    return this.#toReply(name, shape, rows?.[0]?.result);
  };

  /** Columns that follow a write's result. */
  get #noted(): string {
    return this.#replica ? `${QUEUED}, ${WRITTEN}` : QUEUED;
  }

  #callOf(name: string, given: Record<string, unknown>): Statement {
    return callOf(name, given, toStatement);
  }

  async #askReplica(name: string, call: Statement) {
    const replica = this.#replica;
    const after = REPLICATED.has(name) ? this.#observers.position?.after() : undefined;
    if (!replica || after === undefined || replica.isResting()) return undefined;
    return this.#timed(() => replica.ask(call, after));
  }

  #askPrimary(name: string, call: Statement, sending: Sending) {
    const client = this.#client;
    const write = () => resultOf(client, withDeadline(call, USUAL), this.#noted);
    return this.#send(
      READS.has(name) ? () => resultOf(client, call) : () => withClockCorrection(write),
      sending,
    );
  }

  async #send<Result>(statement: () => Promise<Result>, sending: Sending): Promise<Result> {
    try {
      return await sendPersistently(() => this.#timed(statement), sending, this.#endpoint);
    } catch (error) {
      throw toRefusal(error);
    }
  }

  async #timed<Result>(statement: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await statement();
    } finally {
      this.#observers.onStatement?.(performance.now() - startedAt);
    }
  }

  /** Passes on what a write's check reports. Waits for the replica if somebody may see less since. */
  async #report(row: Partial<Checked> & Written = {}): Promise<void> {
    const { onDeliveries, onMails, position } = this.#observers;
    const { deliveries, mails, written, restricts } = row;
    if (deliveries) onDeliveries?.(deliveries.split(",").map(Number));
    if (mails) onMails?.(mails.split(",").map(Number));
    if (written) position?.wrote(written);
    if (written && restricts) await this.#replica?.hear(written);
  }

  #toReply<Reply>(name: string, shape: Shape<Reply>, reply: unknown): Reply {
    return this.#checksReplies ? checked(name, shape, reply) : (reply as Reply);
  }
}

/** `more` are columns after the result. PostgreSQL evaluates them in order, so they see what the call has done. */
const resultOf = (client: Driver["client"], { text, parameters }: Statement, more?: string) =>
  client.query(`select ${text} as result${more ? `, ${more}` : ""}`, [...parameters]);

/** Rows as arrays, which are shorter. */
const ARRAYS = { arrayMode: true };

/** Functions that this isolate found missing: the migrator has yet to make them. */
const missing = new Set<string>();

/** Sends kept selects by `ask`, or what they stand for if one of their functions is missing. */
async function askKept<Answer>(
  readings: readonly Reading<unknown>[],
  ask: (statements: Statement[]) => Promise<Answer>,
): Promise<Answer> {
  const asPlanned = () => ask(readings.map(({ planned }) => planned()));
  const names = readings.flatMap((reading) => reading.names);
  if (names.some((name) => missing.has(name))) return asPlanned();
  try {
    return await ask(readings.map(({ statement }) => statement()));
  } catch (error) {
    if (names.length === 0 || !isFunctionMissing(error)) throw error;
    for (const name of names) missing.add(name);
    return asPlanned();
  }
}

/** Neon's client is typed for rows as objects. */
const rowsOf = <Rows extends unknown[]>(
  readings: { [At in keyof Rows]: Reading<Rows[At]> },
  raw: unknown[],
) => readings.map(({ toRows }, at) => toRows(raw[at] as unknown[][])) as { [At in keyof Rows]: Rows[At][] };

const LIMITS = "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)";
