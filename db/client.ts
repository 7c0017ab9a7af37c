import { type NeonQueryFunction, neon, neonConfig } from "@neondatabase/serverless";
import type { SQL } from "drizzle-orm";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import { AT_LENGTH, inTime, keepingTime, type Statement, stillInTime, USUAL } from "./deadline.ts";
import { asSessionEnded } from "./faults.ts";
import { persistently, type Sending } from "./persistence.ts";
import { READS } from "./reads.ts";
import * as schema from "./schema/index.ts";

/** Milliseconds. For a lock nobody waits longer than a statement may take elsewhere. */
const LOCK_TIMEOUT_MS = 5_000;

export interface Connection {
  DATABASE_URL: string;
  DATABASE_PROXY_URL?: string;
}

/**
 * Whatever may write is rolled back where it ends after its deadline: a paused database carries out what it was sent before,
 * and by then somebody was told that it failed. `sending` where it differs from what the database was opened for.
 */
export interface Database {
  /** One statement that may write; it and the look at its deadline are one transaction, one round trip. */
  execute<Row>(statement: SQL, sending?: Sending): Promise<Row[]>;
  /** One statement that writes nothing. */
  read<Row>(statement: SQL): Promise<Row[]>;
  /** One function, which answers with one JSON value. Needs no query builder on the busiest paths. */
  call<Result>(name: string, parameters: readonly unknown[], sending?: Sending): Promise<Result>;
  /** The same, where the call's arguments are expressions. */
  evaluate<Result>(call: SQL, sending?: Sending): Promise<Result>;
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
  async function send<Result>(statement: () => Promise<Result>, sending: Sending): Promise<Result> {
    try {
      return await persistently(() => timed(statement), sending, endpoint);
    } catch (error) {
      throw asSessionEnded(error);
    }
  }
  async function evaluate<Result>(name: string, call: Statement, sending: Sending): Promise<Result> {
    const rows = await send(
      READS.has(name)
        ? () => resultOf(client, call)
        : () => keepingTime(() => resultOf(client, inTime(call, USUAL))),
      sending,
    );
    const [row] = rows as { result: Result }[];
    if (!row) throw new Error(`${name} returned no row`);
    return row.result;
  }
  return {
    drizzle,
    read: <Row>(statement: SQL) => {
      const { text, parameters } = built(drizzle, statement);
      return send(() => client.query(text, [...parameters]) as Promise<Row[]>, "repeatable");
    },
    async execute<Row>(statement: SQL, sending = usually) {
      const { text, parameters } = built(drizzle, statement);
      const once = () =>
        client.transaction([client.query(text, [...parameters]), stillInTime(client, USUAL)]);
      const [rows] = await send(() => keepingTime(once), sending);
      return rows as Row[];
    },
    call: (name, parameters, sending = usually) =>
      evaluate(name, { text: callOf(name, parameters.length), parameters }, sending),
    evaluate: (expression, sending = usually) => {
      const call = built(drizzle, expression);
      return evaluate(/^\s*(\w+)/.exec(call.text)?.[1] ?? "", call, sending);
    },
    async callAtLength<Result>(name: string, given: readonly unknown[] = [], sending = usually) {
      const limits = [AT_LENGTH.replyMs - 1_000, LOCK_TIMEOUT_MS];
      const call = { text: callOf(name, given.length), parameters: given };
      const once = () =>
        client.transaction([client.query(LIMITS, limits), resultOf(client, inTime(call, AT_LENGTH))], {
          fetchOptions: { signal: AbortSignal.timeout(AT_LENGTH.replyMs) },
        });
      const [, rows] = await send(() => keepingTime(once), sending);
      return rows?.[0]?.result as Result;
    },
  };
}

const resultOf = (client: Opened["client"], { text, parameters }: Statement) =>
  client.query(`select ${text} as result`, [...parameters]);

function built(drizzle: Drizzle, statement: SQL): Statement {
  const { sql, params } = drizzle.execute(statement).getQuery();
  return { text: sql, parameters: params };
}

const LIMITS = "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)";

const calls = new Map<string, string>();

/** Names are ours, never a client's; each has one number of parameters. */
function callOf(name: string, count: number): string {
  const known = calls.get(name);
  if (known) return known;
  const placeholders = Array.from({ length: count }, (_, index) => `$${index + 1}`);
  const made = `${name}(${placeholders.join(", ")})`;
  calls.set(name, made);
  return made;
}

/** Local proxies by the host in DATABASE_URL. The driver has one setting for all of its clients. */
const proxies = new Map<string, string>();
const usualEndpoint = neonConfig.fetchEndpoint;
neonConfig.fetchEndpoint = (host, port, options) =>
  proxies.get(host) ??
  (typeof usualEndpoint === "string" ? usualEndpoint : usualEndpoint(host, port, options));

function connect({ DATABASE_URL, DATABASE_PROXY_URL }: Connection): Opened {
  let endpoint = "";
  if (DATABASE_PROXY_URL) proxies.set(new URL(DATABASE_URL).hostname, DATABASE_PROXY_URL);
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
  const reply = await fetch(url, { ...init, signal: init.signal ?? AbortSignal.timeout(USUAL.replyMs) });
  const text = await reply.text();
  return { ok: reply.ok, status: reply.status, text: async () => text, json: async () => JSON.parse(text) };
}
