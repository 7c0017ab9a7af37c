import { type NeonQueryFunction, neon, neonConfig } from "@neondatabase/serverless";
import type { SQL } from "drizzle-orm";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import { persistently, type Sending } from "./persistence.ts";
import * as schema from "./schema/index.ts";

/** Milliseconds. The statement's own limit is a second shorter, so that PostgreSQL gives up first and says so. */
const REPLY_TIMEOUT_MS = 6_000;
const LONG_REPLY_TIMEOUT_MS = 120_000;
/** For a lock nobody waits longer than a statement may take elsewhere. */
const LOCK_TIMEOUT_MS = 5_000;

export interface Connection {
  DATABASE_URL: string;
  DATABASE_PROXY_URL?: string;
}

export interface Database {
  /** One statement, one round trip; `sending` where it differs from what the database was opened for. */
  execute<Row>(statement: SQL, sending?: Sending): Promise<Row[]>;
  /** One function, which answers with one JSON value. Needs no query builder on the busiest paths. */
  call<Result>(name: string, parameters: readonly unknown[], sending?: Sending): Promise<Result>;
  /** The same of what may take minutes, as taking away what a million people like. */
  callAtLength<Result>(name: string, parameters?: readonly unknown[], sending?: Sending): Promise<Result>;
  drizzle: Drizzle;
}

export type Drizzle = NeonHttpDatabase<typeof schema>;

/** Called after each statement, with its wall time. */
export type OnStatement = (ms: number) => void;

interface Opened {
  client: NeonQueryFunction<false, false>;
  drizzle: Drizzle;
  /** Where the last statement went. */
  endpoint(): string;
}

const opened = new Map<string, Opened>();

/** The HTTP form of the driver holds no connection, so one object serves a whole isolate. */
export function openDatabase(
  connection: Connection,
  onStatement?: OnStatement,
  usually: Sending = "once",
): Database {
  const { client, drizzle, endpoint } = opened.get(connection.DATABASE_URL) ?? connect(connection);
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
    execute: <Row>(statement: SQL, sending = usually) => {
      const once = async () => (await drizzle.execute(statement)).rows as Row[];
      return persistently(() => timed(once), sending, endpoint);
    },
    async call<Result>(name: string, parameters: readonly unknown[], sending = usually) {
      const once = () => client.query(callOf(name, parameters.length), [...parameters]);
      const [row] = await persistently(() => timed(once), sending, endpoint);
      if (!row) throw new Error(`${name} returned no row`);
      return row.result as Result;
    },
    async callAtLength<Result>(name: string, parameters: readonly unknown[] = [], sending = usually) {
      const limits = [LONG_REPLY_TIMEOUT_MS - 1_000, LOCK_TIMEOUT_MS];
      const once = () =>
        client.transaction(
          [client.query(LIMITS, limits), client.query(callOf(name, parameters.length), [...parameters])],
          {
            fetchOptions: { signal: AbortSignal.timeout(LONG_REPLY_TIMEOUT_MS) },
          },
        );
      const [, rows] = await persistently(() => timed(once), sending, endpoint);
      return rows?.[0]?.result as Result;
    },
  };
}

const LIMITS = "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)";

const calls = new Map<string, string>();

/** Names are ours, never a client's; each has one number of parameters. */
function callOf(name: string, count: number): string {
  const known = calls.get(name);
  if (known) return known;
  const placeholders = Array.from({ length: count }, (_, index) => `$${index + 1}`);
  const made = `select ${name}(${placeholders.join(", ")}) as result`;
  calls.set(name, made);
  return made;
}

function connect({ DATABASE_URL, DATABASE_PROXY_URL }: Connection): Opened {
  let endpoint = "";
  if (DATABASE_PROXY_URL) neonConfig.fetchEndpoint = () => DATABASE_PROXY_URL;
  neonConfig.fetchFunction = (url: string, init: RequestInit) => {
    endpoint = url;
    return wholeReply(url, init);
  };
  const client = neon(DATABASE_URL);
  const made = {
    client,
    drizzle: drizzle(client, { schema, casing: "snake_case" }),
    endpoint: () => endpoint,
  };
  opened.set(DATABASE_URL, made);
  return made;
}

/** Read to its end here: of a body that breaks off later, the driver would not say that the database was to blame. */
async function wholeReply(url: string, init: RequestInit) {
  const reply = await fetch(url, { ...init, signal: init.signal ?? AbortSignal.timeout(REPLY_TIMEOUT_MS) });
  const text = await reply.text();
  return { ok: reply.ok, status: reply.status, text: async () => text, json: async () => JSON.parse(text) };
}
