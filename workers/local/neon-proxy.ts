import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { availableParallelism } from "node:os";
import pg from "pg";
import { createWebSocketStream, WebSocketServer } from "ws";
import { batchStart, NeonRequest, type NeonStatement } from "./neon-protocol.ts";
import { isOutdated, StatementNames } from "./prepared.ts";
import { Turns } from "./turns.ts";

/** As Neon's own limit on a request: neon.com/docs/serverless/serverless-driver */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_CONNECTIONS_PER_ROLE = 20;
const IDLE_CONNECTION_MS = 300_000;
/**
 * Each connection is a process of Postgres' with caches of its own: of as many as there are requests at once each would find
 * the processor's cold. Two for each core leave none idle while others wait for the disk.
 */
const TURNS = { places: 2 * availableParallelism(), stallMs: 10 };
/** Statements kept for `GET /stats`. */
const RECENT = 500;

/** Text as Postgres sends it: the driver at the other end parses. */
const AS_SENT = { rowMode: "array", types: { getTypeParser: () => (value: string) => value } };

export type NeonProxy = { url: string; port: number; close(): Promise<void> };

/** Speaks to the Neon driver as Neon's own proxy does: one HTTP request a statement or batch, or a WebSocket as a pipe. */
export async function startNeonProxy(options: { port: number; databasePort: number }): Promise<NeonProxy> {
  const pools = new Map<string, pg.Pool>();
  const names = new StatementNames();
  const turns = new Turns(TURNS);
  const stats = { requests: 0, queries: 0, recent: [] as { request: number; text: string }[] };

  /** The address in the request names Neon's host: only its role, password and database are for us. */
  function poolFor(connectionString: string): pg.Pool {
    const kept = pools.get(connectionString);
    if (kept) return kept;
    const asked = new URL(connectionString);
    const pool = new pg.Pool({
      host: "127.0.0.1",
      port: options.databasePort,
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
    pools.set(connectionString, pool);
    return pool;
  }

  async function answer(asked: NeonRequest, response: ServerResponse): Promise<void> {
    const pool = poolFor(asked.headers["neon-connection-string"]);
    const number = ++stats.requests;
    const client = await pool.connect();
    // Went away while it waited for its turn.
    if (response.destroyed) return client.release();
    let broken = false;
    // The asker has given up: nobody waits for the rows, and the statement would hold its locks.
    const cancel = () => void pool.query("SELECT pg_cancel_backend($1)", [backendOf(client)]).catch(() => {});
    response.once("close", cancel);
    const run = async ({ query, params }: NeonStatement) => {
      stats.queries++;
      stats.recent.push({ request: number, text: query });
      if (stats.recent.length > RECENT) stats.recent.shift();
      const name = names.nameOf(query);
      const statement = { name, text: query, values: params, queryMode: "extended" };
      const { fields, rows, rowCount, command } = await client.query({ ...statement, ...AS_SENT });
      return { fields, rows, rowCount, command, rowAsArray: true };
    };
    try {
      const result =
        "queries" in asked.body ? { results: await batch(asked.body.queries) } : await run(asked.body);
      response.off("close", cancel);
      send(response, 200, JSON.stringify(result));
    } catch (error) {
      broken = !isOfStatement(error) || isOutdated(error);
      // Nobody knows how far the statement got.
      throw error instanceof pg.DatabaseError ? error : new ConnectionBroke(error);
    } finally {
      response.off("close", cancel);
      // Neither an ended connection nor a lone BEGIN's open transaction is for the next who asks.
      client.release(broken || client.getTransactionStatus() !== "I");
    }

    async function batch(statements: NeonStatement[]) {
      await client.query(batchStart(asked.headers));
      try {
        const results = [];
        for (const statement of statements) results.push(await run(statement));
        await client.query("COMMIT");
        return results;
      } catch (error) {
        await client.query("ROLLBACK").catch(() => {});
        throw error;
      }
    }
  }

  const server = createServer(async (request, response) => {
    try {
      if (request.method === "GET") return send(response, 200, JSON.stringify(stats));
      const asked = NeonRequest.parse({ headers: request.headers, body: JSON.parse(await text(request)) });
      await turns.during(() => answer(asked, response));
    } catch (error) {
      sendError(response, error);
    }
  });
  server.keepAliveTimeout = 60_000;

  const sockets = new WebSocketServer({ server, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false });
  sockets.on("connection", (socket) => {
    // The address that the driver asks for is not looked at: this proxy opens one door only.
    const database = connect(options.databasePort, "127.0.0.1").setNoDelay();
    const stream = createWebSocketStream(socket);
    const close = () => {
      stream.destroy();
      database.destroy();
    };
    stream.on("error", close).on("close", close).pipe(database);
    database.on("error", close).on("close", close).pipe(stream);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/sql`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** `pg` knows the backend's process id and does not type it. */
const backendOf = (client: pg.PoolClient): number =>
  (client as pg.PoolClient & { processID: number }).processID;

/** Not `for await`: most bodies are one chunk, and an iterator for each of them costs more than reading it. */
const text = (request: IncomingMessage) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) reject(new Error("the request is too large"));
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8"))).on("error", reject);
  });

/** No header that nobody reads: the Worker makes objects of each, and keeps them until it collects all of its garbage. */
function send(response: ServerResponse, status: number, body: string): void {
  response.sendDate = false;
  // HTTP/1.1 keeps connections without being told.
  response.removeHeader("Connection");
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

class ConnectionBroke extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What Postgres says of a statement; of operator intervention (shut down, crashed, still starting) it says 57P. */
const isOfStatement = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !error.code?.startsWith("57P");

/**
 * What Postgres says of a statement is 400 with its fields. Otherwise, without a code: 502 where the connection broke
 * under a statement, 503 where there was no Postgres to do it.
 */
function sendError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (isOfStatement(error)) send(response, 400, JSON.stringify({ ...error, message }));
  else send(response, error instanceof ConnectionBroke ? 502 : 503, JSON.stringify({ message }));
}
