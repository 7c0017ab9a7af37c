type Row = Record<string, unknown>;

/** Options of a reply. The query builder sets them. */
export interface Format {
  /** Rows as arrays. */
  arrayMode?: boolean;
  /** The reply with its rows, instead of the rows alone. */
  fullResults?: boolean;
}

/** The part of Neon's client that we and Drizzle use. A statement is sent when it is awaited. */
export interface Client {
  query(text: string, parameters?: unknown[], format?: Format): Promise<Row[]>;
  /** Sends statements of `query` in one round trip and commits them together. */
  transaction(
    statements: PromiseLike<Row[]>[],
    options?: { readOnly?: boolean; fetchOptions?: { signal: AbortSignal } },
  ): Promise<Row[][]>;
}

/** Reaches the database. All return the same values and fail with errors that `databaseFault` classifies alike. */
export interface Transport {
  client: Client;
  /**
   * Returns the address of the last statement. `undefined` where the transport itself tells a refused connection from
   * one that broke.
   */
  endpoint(): string | undefined;
}

/** Addresses as the Worker's variables hold them. */
export interface Address {
  DATABASE_URL: string;
  /** Local only: the proxy that speaks the Neon driver's protocol. */
  DATABASE_PROXY_URL?: string;
}
