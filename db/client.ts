import { type NeonQueryFunction, neon, neonConfig } from "@neondatabase/serverless";
import type { SQL } from "drizzle-orm";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import * as schema from "./schema/index.ts";

/** Milliseconds. The statement's own limit is a second shorter, so that PostgreSQL gives up first and says so. */
const REPLY_TIMEOUT_MS = 6_000;

export interface Connection {
  DATABASE_URL: string;
  DATABASE_PROXY_URL?: string;
}

export interface Database {
  /** One statement, one round trip. */
  execute<Row>(statement: SQL): Promise<Row[]>;
  /** One function, which answers with one JSON value. Needs no query builder on the busiest paths. */
  call<Result>(name: string, parameters: readonly unknown[]): Promise<Result>;
  drizzle: Drizzle;
}

export type Drizzle = NeonHttpDatabase<typeof schema>;

/** Called after each statement, with its wall time. */
export type OnStatement = (ms: number) => void;

interface Opened {
  client: NeonQueryFunction<false, false>;
  drizzle: Drizzle;
}

const opened = new Map<string, Opened>();

/** The HTTP form of the driver holds no connection, so one object serves a whole isolate. */
export function openDatabase(connection: Connection, onStatement?: OnStatement): Database {
  const { client, drizzle } = opened.get(connection.DATABASE_URL) ?? connect(connection);
  async function timed<Result>(statement: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await statement();
    } finally {
      onStatement?.(performance.now() - startedAt);
    }
  }
  return {
    drizzle,
    execute: <Row>(statement: SQL) => timed(async () => (await drizzle.execute(statement)).rows as Row[]),
    async call<Result>(name: string, parameters: readonly unknown[]) {
      const [row] = await timed(() => client.query(callOf(name, parameters.length), [...parameters]));
      if (!row) throw new Error(`${name} returned no row`);
      return row.result as Result;
    },
  };
}

/** Names are ours, never a client's. */
function callOf(name: string, count: number): string {
  const placeholders = Array.from({ length: count }, (_, index) => `$${index + 1}`);
  return `select ${name}(${placeholders.join(", ")}) as result`;
}

function connect({ DATABASE_URL, DATABASE_PROXY_URL }: Connection): Opened {
  if (DATABASE_PROXY_URL) neonConfig.fetchEndpoint = () => DATABASE_PROXY_URL;
  neonConfig.fetchFunction = (url: string, init: RequestInit) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) });
  const client = neon(DATABASE_URL);
  const made = { client, drizzle: drizzle(client, { schema, casing: "snake_case" }) };
  opened.set(DATABASE_URL, made);
  return made;
}
