import { availableParallelism } from "node:os";
import pg from "pg";
import { Turns } from "./turns.ts";

const MAX_CONNECTIONS_PER_ROLE = 20;
const IDLE_CONNECTION_MS = 300_000;
/**
 * Each connection is a process of Postgres' with caches of its own: of as many as there are requests at once each would find
 * the processor's cold. Two for each core leave none idle while others wait for the disk.
 */
const TURNS = { places: 2 * availableParallelism(), stallMs: 10 };

/** Connections to Postgres, and turns at them, for statements that wait for the same things. */
export class Lane {
  readonly #databasePort: number;
  readonly #pools = new Map<string, pg.Pool>();
  readonly #turns = new Turns(TURNS);

  constructor(databasePort: number) {
    this.#databasePort = databasePort;
  }

  /** When it is its turn. */
  during<T>(connectionString: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    return this.#turns.during(() => work(this.poolFor(connectionString)));
  }

  /** The address in the request names Neon's host: only its role, password and database are for us. */
  poolFor(connectionString: string): pg.Pool {
    const kept = this.#pools.get(connectionString);
    if (kept) return kept;
    const asked = new URL(connectionString);
    const pool = new pg.Pool({
      host: "127.0.0.1",
      port: this.#databasePort,
      user: decodeURIComponent(asked.username),
      password: decodeURIComponent(asked.password),
      database: decodeURIComponent(asked.pathname.slice(1)),
      application_name: asked.searchParams.get("application_name") ?? undefined,
      options: asked.searchParams.get("options") ?? undefined,
      max: MAX_CONNECTIONS_PER_ROLE,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
    });
    // Postgres ended a connection: an idle one the pool has dropped, and one in use fails its statement.
    pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
    this.#pools.set(connectionString, pool);
    return pool;
  }

  end(): Promise<unknown> {
    return Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}
