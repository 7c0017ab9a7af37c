import type { ServerResponse } from "node:http";
import pg from "pg";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { batchStart, type NeonRequest, type NeonStatement } from "./protocol.ts";
import { ReadClassifier } from "./read-classifier.ts";
import { StatementQueue } from "./statement-queue.ts";

/** Statements that `GET /stats` lists. */
const RECENT = 500;

/** Values stay text as Postgres sends it. The driver parses them. */
const AS_SENT = { rowMode: "array", types: { getTypeParser: () => (value: string) => value } };

/** Gives each request a connection in its turn, and counts the statements. */
export class ProxiedDatabase {
  readonly stats = { requests: 0, queries: 0, reads: 0, recent: [] as { request: number; text: string }[] };
  // Writes wait for the disk together. Separate queues keep reads from waiting behind them.
  readonly #reads: StatementQueue;
  readonly #writes: StatementQueue;
  readonly #classifier = new ReadClassifier();

  constructor(databaseUrl: string) {
    this.#reads = new StatementQueue(databaseUrl);
    this.#writes = new StatementQueue(databaseUrl);
  }

  /** Returns the body of the reply, or `undefined` if the client disconnected while queued. */
  answer(asked: NeonRequest, response: ServerResponse): Promise<object | undefined> {
    const role = asked.headers["neon-connection-string"];
    const [queue, other] = this.#onlyReads(asked) ? [this.#reads, this.#writes] : [this.#writes, this.#reads];
    return queue.run(role, async (pool) => {
      const number = ++this.stats.requests;
      const client = await pool.connect();
      if (response.destroyed) {
        client.release();
        return undefined;
      }
      const count = (text: string) => this.#count(number, text, role);
      return new ProxiedRequest(client, asked, count).answer(response, other.poolFor(role));
    });
  }

  async end(): Promise<void> {
    await Promise.all([this.#reads.end(), this.#writes.end()]);
  }

  #onlyReads({ headers, body }: NeonRequest): boolean {
    if ("queries" in body) return headers["neon-batch-read-only"] === "true";
    return this.#isRead(body.query, headers["neon-connection-string"]);
  }

  #isRead(text: string, role: string): boolean {
    return this.#classifier.onlyReads(text, (asked, values) =>
      this.#reads.poolFor(role).query(asked, values),
    );
  }

  #count(request: number, text: string, role: string): void {
    const { stats } = this;
    stats.queries++;
    stats.recent.push({ request, text });
    if (stats.recent.length > RECENT) stats.recent.shift();
    if (this.#isRead(text, role)) stats.reads++;
  }
}

/** One request, on a connection that it holds until it is answered. */
class ProxiedRequest {
  readonly #client: pg.PoolClient;
  readonly #asked: NeonRequest;
  readonly #count: (text: string) => void;

  constructor(client: pg.PoolClient, asked: NeonRequest, count: (text: string) => void) {
    this.#client = client;
    this.#asked = asked;
    this.#count = count;
  }

  async answer(response: ServerResponse, other: pg.Pool): Promise<object> {
    let broken = false;
    const cancel = () => {
      // The cancellation may come late, and would then end the statement of whoever got the connection next.
      broken = true;
      this.#cancel(other);
    };
    response.once("close", cancel);
    try {
      const { body } = this.#asked;
      return await ("queries" in body ? this.#batch(body.queries) : this.#run(body));
    } catch (error) {
      broken ||= !isOfStatement(error);
      // Nobody knows how far the statement got.
      throw error instanceof pg.DatabaseError ? error : new ConnectionBroke(error);
    } finally {
      response.off("close", cancel);
      // Never reuse a broken connection, or one that a lone BEGIN left in a transaction.
      this.#client.release(broken || this.#client.getTransactionStatus() !== "I");
    }
  }

  /**
   * Cancels the statement of a client that disconnected: it would hold its locks for nobody. The other pool does it,
   * because this one may have no free connection.
   */
  #cancel(other: pg.Pool): void {
    other.query("SELECT pg_cancel_backend($1)", [backendOf(this.#client)]).catch(() => {});
  }

  async #batch(statements: NeonStatement[]) {
    await this.#client.query(batchStart(this.#asked.headers));
    try {
      const results = [];
      for (const statement of statements) results.push(await this.#run(statement));
      await this.#client.query("COMMIT");
      return { results };
    } catch (error) {
      await this.#client.query("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  async #run({ query, params }: NeonStatement) {
    this.#count(query);
    // Unnamed, so that Postgres plans each anew, as behind Neon's proxy.
    const statement = { text: query, values: params, queryMode: "extended" };
    const { fields, rows, rowCount, command } = await this.#client.query({ ...statement, ...AS_SENT });
    return { fields, rows, rowCount, command, rowAsArray: true };
  }
}

/** `pg` sets the backend's process id but leaves it out of its types. */
const backendOf = (client: pg.PoolClient): number =>
  (client as pg.PoolClient & { processID: number }).processID;

export class ConnectionBroke extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/**
 * SQLSTATE 57P is operator intervention: shut down, crashed or still starting. Other codes concern the
 * statement.
 */
export const isOfStatement = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !error.code?.startsWith("57P");
