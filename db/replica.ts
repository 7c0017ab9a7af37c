import type { Statement } from "./deadline.ts";
import { databaseFault } from "./faults.ts";
import { type Connection, type Driver, driverOf } from "./transports/open.ts";

/** Milliseconds that a replica may be behind. */
export const MAX_LAG_MS = 10_000;

/** Milliseconds for which an isolate spares a replica that failed or was too far behind. */
const REST_MS = 5_000;

/**
 * False also if nobody has written for so long: no commit shows how far behind the replica is, and the primary is
 * idle.
 */
const IS_FRESH = `select not pg_is_in_recovery()
  or clock_timestamp() - pg_last_xact_replay_timestamp() < '${MAX_LAG_MS} milliseconds'`;

/** A copy of the database that answers readers who have written nothing. It may be behind the primary. */
export class Replica {
  readonly #client: Driver["client"];
  #restsUntil = 0;

  constructor(connection: Connection) {
    this.#client = driverOf(connection).client;
  }

  get isResting(): boolean {
    return Date.now() < this.#restsUntil;
  }

  /**
   * Returns rows as arrays, or `undefined` if the primary must be asked: the replica fails or lags, or the first statement finds
   * nothing, which may be new. So may be a session or a function that the replica does not know.
   */
  async ask(statements: Statement[]): Promise<unknown[][][] | undefined> {
    const sent = [{ text: IS_FRESH, parameters: [] }, ...statements].map(({ text, parameters }) =>
      this.#client.query(text, [...parameters], { arrayMode: true }),
    );
    try {
      const replies: unknown = await this.#client.transaction(sent, { readOnly: true });
      const [[[isFresh] = []] = [], ...found] = replies as unknown[][][];
      if (!isFresh) return this.#rest();
      return found[0]?.length ? found : undefined;
    } catch (error) {
      const fault = databaseFault(error);
      if (!fault) throw error;
      return /unavailable|lost|timeout/.test(fault.kind) ? this.#rest() : undefined;
    }
  }

  #rest(): undefined {
    this.#restsUntil = Date.now() + REST_MS;
  }
}

const replicas = new Map<string, Replica>();

/** Returns the isolate's replica, if the operator has one. */
export function replicaOf(connection: Connection): Replica | undefined {
  const { READ_DATABASE_URL, READ_DATABASE_PROXY_URL, READ_HYPERDRIVE, DATABASE_TRANSPORT } = connection;
  const address = READ_HYPERDRIVE?.connectionString ?? READ_DATABASE_URL;
  if (!address) return undefined;
  const replica =
    replicas.get(address) ??
    new Replica({
      DATABASE_URL: address,
      ...(READ_DATABASE_PROXY_URL && { DATABASE_PROXY_URL: READ_DATABASE_PROXY_URL }),
      ...(DATABASE_TRANSPORT && { DATABASE_TRANSPORT }),
      ...(READ_HYPERDRIVE && { HYPERDRIVE: READ_HYPERDRIVE }),
    });
  replicas.set(address, replica);
  return replica;
}
