import type { Statement } from "./deadline.ts";
import { databaseFault } from "./faults.ts";
import { type Connection, type Driver, driverOf } from "./transports/open.ts";

/**
 * How far a replica may be behind. Past it, reads go to the primary: also while nobody writes, when no commit
 * tells how far the replica is.
 */
const MAX_LAG_MS = 10_000;

/** Milliseconds for which an isolate spares a replica that failed or was too far behind. */
const REST_MS = 5_000;

/** Milliseconds between checks whether a replica knows of a restriction: the first pause, which doubles, and the longest. */
const [FIRST_LOOK_MS, LAST_LOOK_MS] = [20, 500];

/** The position of one reader, whose own changes must show in what it reads. */
export interface Position {
  /** Id of the latest transaction that a replica must know, `0` for any. `undefined`: only the primary will do. */
  after(): string | undefined;
  /** Receives the id of a transaction of this reader. */
  wrote(id: string): void;
}

/** Columns that follow a write's result: its transaction, and whether somebody may see less since. */
export const WRITTEN =
  "pg_current_xact_id_if_assigned()::text as written, current_setting('soundpost.restricts', true) as restricts";

export interface Written {
  written?: string | null;
  restricts?: string | null;
}

type Rows = Record<string, unknown>[];

/** A copy of the database that answers reads. It may be behind the primary. */
class Replica {
  readonly #client: Driver["client"];
  #restsUntil = 0;

  constructor(connection: Connection) {
    this.#client = driverOf(connection).client;
  }

  isResting(): boolean {
    return Date.now() < this.#restsUntil;
  }

  /**
   * Returns the row of one read, or `undefined` if the primary must be asked: the replica fails or lags, or it
   * lacks what was asked for, which may be new. So does a session that has just begun.
   */
  async ask(call: Statement, after: string): Promise<Rows | undefined> {
    try {
      const rows = await this.#query(call, after);
      return isEmpty(rows[0]?.result) ? undefined : rows;
    } catch (error) {
      const fault = databaseFault(error);
      if (!fault) throw error;
      if (/unavailable|lost|timeout/.test(fault.kind) || fault.detail === "behind")
        this.#restsUntil = Date.now() + REST_MS;
      return undefined;
    }
  }

  /** Waits until no read finds what a transaction has taken away: the replica knows, or is too far behind to be asked. */
  async hear(transaction: string): Promise<void> {
    const until = Date.now() + MAX_LAG_MS;
    for (let pauseMs = FIRST_LOOK_MS; Date.now() < until; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
      const heard = await this.#query({ text: "true", parameters: [] }, transaction).catch(() => undefined);
      if (heard) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  #query({ text, parameters }: Statement, after: string): Promise<Rows> {
    const [at, within] = [parameters.length + 1, parameters.length + 2];
    return this.#client.query(
      `select ${text} as result where caught_up($${at}::xid8, $${within}::interval)`,
      [...parameters, after, `${MAX_LAG_MS} milliseconds`],
    );
  }
}

/** Nothing, an empty list, or a reply whose every part is such. A flag, such as `found`, tells of no row. */
function isEmpty(result: unknown): boolean {
  if (result === null || result === undefined || typeof result === "boolean") return true;
  if (typeof result !== "object") return false;
  return Array.isArray(result) ? result.length === 0 : Object.values(result).every(isEmpty);
}

const replicas = new Map<string, Replica>();

/** Returns the isolate's replica, if the operator has one. */
export function replicaOf(connection: Connection): Replica | undefined {
  const { READ_DATABASE_URL, READ_DATABASE_PROXY_URL, READ_HYPERDRIVE, DATABASE_TRANSPORT } = connection;
  const address = READ_HYPERDRIVE?.connectionString ?? READ_DATABASE_URL;
  if (!address) return undefined;
  const known = replicas.get(address);
  if (known) return known;
  const made = new Replica({
    DATABASE_URL: address,
    ...(READ_DATABASE_PROXY_URL && { DATABASE_PROXY_URL: READ_DATABASE_PROXY_URL }),
    ...(READ_HYPERDRIVE && { HYPERDRIVE: READ_HYPERDRIVE }),
    ...(DATABASE_TRANSPORT && { DATABASE_TRANSPORT }),
  });
  replicas.set(address, made);
  return made;
}
