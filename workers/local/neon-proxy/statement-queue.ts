import { availableParallelism } from "node:os";
import pg from "pg";
import { Semaphore } from "./semaphore.ts";

const MAX_CONNECTIONS_PER_ROLE = 20;
const IDLE_CONNECTION_MS = 300_000;
/**
 * Limit the proxy to two statements per core. Each connection is a Postgres process with its own caches, and too
 * many evict each other; two per core keep every core busy while some wait for the disk.
 */
const CONCURRENCY = { places: 2 * availableParallelism(), stallMs: 10 };

/** Pools connections to Postgres and limits how many statements of one kind run at once. */
export class StatementQueue {
  readonly #databaseUrl: string;
  readonly #pools = new Map<string, pg.Pool>();
  readonly #semaphore = new Semaphore(CONCURRENCY);

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  run<T>(connectionString: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    return this.#semaphore.run(() => work(this.poolFor(connectionString)));
  }

  /** Takes only role, password and database from the address. Its host is Neon's. */
  poolFor(connectionString: string): pg.Pool {
    const existing = this.#pools.get(connectionString);
    if (existing) return existing;
    const requested = new URL(connectionString);
    const url = new URL(this.#databaseUrl);
    const { username, password, pathname } = requested;
    const pool = new pg.Pool({
      connectionString: Object.assign(url, { username, password, pathname }).href,
      application_name: requested.searchParams.get("application_name") ?? undefined,
      options: requested.searchParams.get("options") ?? undefined,
      max: MAX_CONNECTIONS_PER_ROLE,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
    });
    // Postgres may end a connection at any time. The pool drops idle ones; a statement in progress fails.
    pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
    this.#pools.set(connectionString, pool);
    return pool;
  }

  end(): Promise<unknown> {
    return Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}
