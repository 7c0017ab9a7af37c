import { types } from "@neondatabase/serverless";
import type pg from "pg";
import { USUAL } from "../deadline.ts";
import { DatabaseUnreachable, StatementFailed } from "../faults.ts";
import type { Address, Client, Format, Transport } from "./transport.ts";

/** Milliseconds. Until a connection is open, nothing was sent. */
const CONNECT_MS = 3_000;

/** Builds for Neon alone define it, which leaves the package out of them. See `define` in wrangler.toml. */
declare const NEON_ONLY: boolean | undefined;

const load = async (): Promise<typeof pg> => {
  if (typeof NEON_ONLY !== "undefined" && NEON_ONLY) throw new Error("This build speaks to Neon only");
  else return (await import("pg")).default;
};

interface Statement {
  text: string;
  parameters: unknown[];
  format: Format;
  /** A transaction sends it. */
  isClaimed: boolean;
}

/**
 * Speaks PostgreSQL's own protocol over TCP: to Hyperdrive, a pooler or the server. Each statement or transaction opens a
 * connection, because workerd lets no request use another's socket. The pool is on the other side.
 */
export function pgTransport({ DATABASE_URL }: Address): Transport {
  const statements = new WeakMap<PromiseLike<unknown>, Statement>();
  const client: Client = {
    query(text, parameters = [], format = {}) {
      const statement = { text, parameters, format, isClaimed: false };
      // A transaction has until then to claim it.
      const sent = Promise.resolve().then(() =>
        statement.isClaimed ? [] : converse(DATABASE_URL, (on) => run(on, statement)),
      );
      statements.set(sent, statement);
      return sent;
    },
    transaction(given, options) {
      const claimed = given.flatMap((one) => statements.get(one) ?? []);
      for (const statement of claimed) statement.isClaimed = true;
      const begin = options?.readOnly ? "BEGIN READ ONLY" : "BEGIN";
      return converse(DATABASE_URL, (on) => runTogether(on, begin, claimed), options?.fetchOptions?.signal);
    },
  };
  return { client, endpoint: () => undefined };
}

type Row = Record<string, unknown>;

async function run(on: pg.Client, { text, parameters, format }: Statement): Promise<Row[]> {
  // A variable, because the types of `pg` lack `queryMode`.
  const query = {
    text,
    values: parameters,
    // Both drivers parse alike: these are the parsers that Drizzle has set.
    types,
    // Unnamed, because poolers share connections.
    queryMode: "extended",
    rowMode: format.arrayMode ? "array" : undefined,
  };
  const result = await on.query(query);
  // Only Drizzle requests and reads the whole reply.
  return format.fullResults ? (result as never) : result.rows;
}

/** Sends all at once. A transaction with a failed statement cannot commit. */
async function runTogether(on: pg.Client, begin: string, statements: Statement[]): Promise<Row[][]> {
  const begun = on.query(begin);
  const replies = statements.map((statement) => run(on, statement));
  const all = await Promise.allSettled([begun, ...replies, on.query("COMMIT")]);
  // The first failure is the cause of the others.
  const failed = all.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  return Promise.all(replies);
}

async function converse<Reply>(
  connectionString: string,
  ask: (on: pg.Client) => Promise<Reply>,
  limit = AbortSignal.timeout(USUAL.replyMs),
): Promise<Reply> {
  const settings = { connectionString, connectionTimeoutMillis: CONNECT_MS, pipeline: true };
  const { Client, DatabaseError } = await load();
  const on = new Client(settings);
  // The statements report a broken connection themselves.
  on.on("error", () => {});
  try {
    await on.connect().catch((error: unknown) => {
      throw error instanceof DatabaseError ? error : new DatabaseUnreachable(error);
    });
    return await Promise.race([ask(on), endOf(limit)]);
  } catch (error) {
    if (error === limit.reason || error instanceof DatabaseUnreachable) throw error;
    throw new StatementFailed(error, error instanceof DatabaseError ? error : undefined);
  } finally {
    on.end().catch(() => {});
  }
}

const endOf = (limit: AbortSignal) =>
  new Promise<never>((_, reject) => {
    limit.addEventListener("abort", () => reject(limit.reason), { once: true });
  });
