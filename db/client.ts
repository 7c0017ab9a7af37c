import type { SQL } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { askStored } from "./ask-stored.ts";
import { type CallParameters, callOf, type FunctionName } from "./call.ts";
import {
  AT_LENGTH,
  type Checked,
  deadlineCheck,
  LIMITS_AT_LENGTH,
  resultStatement,
  type Statement,
  USUAL,
  withClockCorrection,
  withDeadline,
} from "./deadline.ts";
import { toRefusal } from "./faults.ts";
import { claimOf, type KeyClaim, type KeyedRequest, type KeyOutcome, underKey } from "./keyed.ts";
import { type Sending, sendPersistently } from "./persistence.ts";
import { MAX_LAG_MS, type Replica, replicaOf } from "./replica.ts";
import { checked, type Shape } from "./shape.ts";
import { type Reading, type Select, selected, toStatement } from "./stored-select.ts";
import { type Connection, type Driver, type Drizzle, driverOf } from "./transports/open.ts";

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
  /** Runs statements of the builder in their order, as one transaction and one round trip. Returns the rows of the last. */
  writeAll<Result>(build: (on: Drizzle) => Steps<Result>, sending?: Sending): Promise<Result>;
  /** Runs one write that may take minutes, such as publishing a release, and returns its rows. Whoever likes what it changes waits. */
  writeAtLength(statement: SQL): Promise<unknown[]>;
  /** Calls one function that returns one value. The busiest paths need no query builder. */
  call: Call;
  /** Calls a function that writes, then reads the result. Both share one transaction and one round trip. */
  callThenRead: CallThenRead;
  /** Calls a function that may take minutes, such as deleting a track with a million favorites. */
  callAtLength: Call;
  /** Returns the database for a request with a key: the statement that does its work keeps the result under the key. */
  under(request: KeyedRequest): Database;
  /** Returns the database for a reader without a user. Such a reader has written nothing, so a replica may answer. */
  forVisitors(): Database;
  /** Milliseconds by which a visitor's reads may be behind. */
  readonly lagMs: number;
  drizzle: Drizzle;
}

/** The read-only part of the builder. */
export type Reader = Pick<Drizzle, "$count" | "select" | "selectDistinct">;

/** A statement of the builder, to await or to put in a batch. */
type Query<Result> = RunnableQuery<Result, "pg"> & { then: PromiseLike<Result>["then"] };
type Steps<Result> = [...Query<unknown>[], Query<Result>];

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
}

/** Opens the database for one request or task. No transport keeps a connection between statements, so all share one. */
export const openDatabase = (
  connection: Connection,
  observers: Observers = {},
  sending: Sending = "once",
): Database => new ObservedDatabase({ connection, observers, sending });

interface Opened {
  connection: Connection;
  observers: Observers;
  sending: Sending;
  request?: KeyedRequest;
  /** Answers reads, if it can. */
  replica?: Replica;
}

class ObservedDatabase implements Database {
  readonly drizzle: Drizzle;
  readonly #client: Driver["client"];
  readonly #endpoint: Driver["endpoint"];
  readonly #checksReplies: boolean;
  readonly #opened: Opened;
  readonly #sending: Sending;

  constructor(opened: Opened) {
    const { drizzle, client, endpoint } = driverOf(opened.connection);
    this.drizzle = drizzle;
    this.#client = client;
    this.#endpoint = endpoint;
    this.#checksReplies = opened.connection.CHECK_REPLIES === "on";
    this.#opened = opened;
    this.#sending = opened.sending;
  }

  under = (request: KeyedRequest): Database => new ObservedDatabase({ ...this.#opened, request });

  forVisitors = (): Database => {
    const replica = replicaOf(this.#opened.connection);
    return replica && !replica.isResting ? new ObservedDatabase({ ...this.#opened, replica }) : this;
  };

  get lagMs(): number {
    return replicaOf(this.#opened.connection) ? MAX_LAG_MS : 0;
  }

  read<Result>(build: (on: Reader) => Query<Result>): Promise<Result>;
  read<Row>(statement: SQL): Promise<Row[]>;
  read<Row>(reading: Reading<Row>): Promise<Row[]>;
  async read(asked: SQL | Reading<unknown> | ((on: Reader) => Query<unknown>)): Promise<unknown> {
    if (typeof asked === "function")
      return this.#opened.replica
        ? this.read(selected(asked(this.drizzle) as unknown as Select<unknown>))
        : this.#send(async () => asked(this.drizzle), "repeatable");
    if ("toRows" in asked) return (await this.readAll([asked]))[0];
    const { text, parameters } = toStatement(asked);
    return this.#send(() => this.#client.query(text, [...parameters]), "repeatable");
  }

  async readAll<Rows extends unknown[]>(readings: { [At in keyof Rows]: Reading<Rows[At]> }) {
    const ask = (statements: Statement[]) => {
      const selects = this.#selects(statements);
      return selects.length === 1
        ? Promise.all(selects)
        : this.#client.transaction(selects, { readOnly: true });
    };
    const raw =
      (await this.#askReplica(readings)) ?? (await this.#send(() => askStored(readings, ask), "repeatable"));
    return rowsOf<Rows>(readings, raw);
  }

  /** Builds the queries without sending them. */
  #selects(statements: Statement[]) {
    return statements.map(({ text, parameters }) => this.#client.query(text, [...parameters], ARRAYS));
  }

  async write<Result>(build: (on: Drizzle) => Query<Result>, sending = this.#sending): Promise<Result> {
    return this.writeAll((on) => [build(on)], sending);
  }

  async writeAll<Result>(build: (on: Drizzle) => Steps<Result>, sending = this.#sending): Promise<Result> {
    const { drizzle } = this;
    const once = () => {
      const [first, ...more] = build(drizzle);
      return drizzle.batch([first, ...more, drizzle.execute<Checked>(deadlineCheck(USUAL))]);
    };
    const replies: unknown[] = await this.#send(() => withClockCorrection(once), sending);
    const [result, check] = replies.slice(-2) as [Result, { rows: Checked[] }];
    this.#report(check.rows[0]);
    return result;
  }

  async writeAtLength(statement: SQL): Promise<unknown[]> {
    const check = () => toStatement(deadlineCheck(AT_LENGTH));
    const [, rows = [], checks] = await this.#send(
      () => withClockCorrection(() => this.#atLength([toStatement(statement), check()])),
      this.#sending,
    );
    this.#report(checks?.[0]);
    return rows;
  }

  call: Call = async (name, shape, given, sending = this.#sending) => {
    const call = this.#callOf(name, given);
    const claim = claimOf(this.#opened.request, name);
    if (claim) return this.#toReply(name, shape, await this.#work(name, call, claim));
    return this.#toReply(name, shape, this.#resultOf(name, await this.#askPrimary(call, sending)));
  };

  callThenRead: CallThenRead = async (name, shape, given, readings, sending = this.#sending) => {
    const call = this.#callOf(name, given);
    const write = () => resultQuery(this.#client, withDeadline(call, USUAL));
    const ask = (selects: Statement[]) => this.#client.transaction([write(), ...this.#selects(selects)]);
    const once = () => withClockCorrection(() => askStored(readings, ask));
    const [rows = [], ...raw] = await this.#send(once, sending);
    const reply = this.#toReply(name, shape, this.#resultOf(name, rows));
    return { reply, read: rowsOf(readings, raw) };
  };

  /** Does the work of a request with a key, or returns the result of the first request with that key. */
  async #work(name: string, call: Statement, claim: KeyClaim): Promise<unknown> {
    const rows = await this.#askPrimary(underKey(call, claim), "repeatable");
    return this.#opened.request?.settle(this.#resultOf(name, rows) as KeyOutcome);
  }

  #resultOf(name: string, [row]: Record<string, unknown>[]): unknown {
    if (!row) throw new Error(`${name} returned no row`);
    this.#report(row);
    return row.result;
  }

  callAtLength: Call = async (name, shape, given, sending = this.#sending) => {
    const call = this.#callOf(name, given);
    const once = () => this.#atLength([resultStatement(withDeadline(call, AT_LENGTH))]);
    const [, rows] = await this.#send(() => withClockCorrection(once), sending);
    this.#report(rows?.[0]);
    return this.#toReply(name, shape, rows?.[0]?.result);
  };

  /** Sends statements as one transaction with the limits of long ones. */
  #atLength(statements: Statement[]) {
    return this.#client.transaction(
      [LIMITS_AT_LENGTH, ...statements].map(({ text, parameters }) =>
        this.#client.query(text, [...parameters]),
      ),
      { fetchOptions: { signal: AbortSignal.timeout(AT_LENGTH.replyMs) } },
    );
  }

  #callOf(name: string, given: Record<string, unknown>): Statement {
    return callOf(name, given, toStatement);
  }

  async #askReplica(readings: readonly Reading<unknown>[]) {
    const { replica } = this.#opened;
    return replica && this.#timed(() => replica.ask(readings.map(({ statement }) => statement())));
  }

  #askPrimary(call: Statement, sending: Sending) {
    const write = () => resultQuery(this.#client, withDeadline(call, USUAL));
    return this.#send(() => withClockCorrection(write), sending);
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
      this.#opened.observers.onStatement?.(performance.now() - startedAt);
    }
  }

  /** Reports the ids that the check of a write returned. */
  #report({ deliveries, mails }: Partial<Checked> = {}): void {
    const { onDeliveries, onMails } = this.#opened.observers;
    if (deliveries) onDeliveries?.(deliveries.split(",").map(Number));
    if (mails) onMails?.(mails.split(",").map(Number));
  }

  #toReply<Reply>(name: string, shape: Shape<Reply>, reply: unknown): Reply {
    return this.#checksReplies ? checked(name, shape, reply) : (reply as Reply);
  }
}

const resultQuery = (client: Driver["client"], call: Statement) => {
  const { text, parameters } = resultStatement(call);
  return client.query(text, [...parameters]);
};

/** Rows as arrays, which are shorter. */
const ARRAYS = { arrayMode: true };

/** Neon's client is typed for rows as objects. */
const rowsOf = <Rows extends unknown[]>(
  readings: { [At in keyof Rows]: Reading<Rows[At]> },
  raw: unknown[],
) => readings.map(({ toRows }, at) => toRows(raw[at] as unknown[][])) as { [At in keyof Rows]: Rows[At][] };
