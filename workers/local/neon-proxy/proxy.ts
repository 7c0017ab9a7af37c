import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pg from "pg";
import { createWebSocketStream, WebSocketServer } from "ws";
import { batchStart, NeonRequest, type NeonStatement } from "./protocol.ts";
import { ReadClassifier } from "./read-classifier.ts";
import { StatementQueue } from "./statement-queue.ts";

/** Neon's own limit on a request: neon.com/docs/serverless/serverless-driver */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Statements that `GET /stats` lists. */
const RECENT = 500;

/** Values stay text as Postgres sends it. The driver parses them. */
const AS_SENT = { rowMode: "array", types: { getTypeParser: () => (value: string) => value } };

type NeonProxy = { url: string; port: number; close(): Promise<void> };

/** Speaks the protocol of Neon's proxy: HTTP for a statement or batch, WebSocket as a raw pipe. */
export async function startNeonProxy(options: {
  port: number;
  /** Only its host, port and TLS count: role and database come with each statement. */
  databaseUrl: string;
}): Promise<NeonProxy> {
  // Writes wait for the disk together. Separate queues keep reads from waiting behind them.
  const queues = {
    reads: new StatementQueue(options.databaseUrl),
    writes: new StatementQueue(options.databaseUrl),
  };
  const classifier = new ReadClassifier();
  const stats = { requests: 0, queries: 0, reads: 0, recent: [] as { request: number; text: string }[] };

  const reads = (text: string, connectionString: string) =>
    classifier.onlyReads(text, (asked, values) =>
      queues.reads.poolFor(connectionString).query(asked, values),
    );

  function onlyReads({ headers, body }: NeonRequest): boolean {
    if ("queries" in body) return headers["neon-batch-read-only"] === "true";
    return reads(body.query, headers["neon-connection-string"]);
  }

  async function answer(asked: NeonRequest, response: ServerResponse): Promise<void> {
    const role = asked.headers["neon-connection-string"];
    const [queue, other] = onlyReads(asked) ? [queues.reads, queues.writes] : [queues.writes, queues.reads];
    await queue.run(role, (pool) => answerOver(pool, other.poolFor(role), asked, response));
  }

  async function answerOver(
    pool: pg.Pool,
    other: pg.Pool,
    asked: NeonRequest,
    response: ServerResponse,
  ): Promise<void> {
    const number = ++stats.requests;
    const client = await pool.connect();
    // The client disconnected while queued.
    if (response.destroyed) return client.release();
    let broken = false;
    // Cancel the statement of a client that disconnected: it would hold its locks for nobody. The other pool
    // does it, because this one may have no free connection.
    const cancel = () =>
      void other.query("SELECT pg_cancel_backend($1)", [backendOf(client)]).catch(() => {});
    response.once("close", cancel);
    const run = async ({ query, params }: NeonStatement) => {
      stats.queries++;
      stats.recent.push({ request: number, text: query });
      if (stats.recent.length > RECENT) stats.recent.shift();
      if (reads(query, asked.headers["neon-connection-string"])) stats.reads++;
      // Unnamed, so that Postgres plans each anew, as behind Neon's proxy.
      const statement = { text: query, values: params, queryMode: "extended" };
      const { fields, rows, rowCount, command } = await client.query({ ...statement, ...AS_SENT });
      return { fields, rows, rowCount, command, rowAsArray: true };
    };
    try {
      const result =
        "queries" in asked.body ? { results: await batch(asked.body.queries) } : await run(asked.body);
      response.off("close", cancel);
      send(response, 200, JSON.stringify(result));
    } catch (error) {
      broken = !isOfStatement(error);
      // Nobody knows how far the statement got.
      throw error instanceof pg.DatabaseError ? error : new ConnectionBroke(error);
    } finally {
      response.off("close", cancel);
      // Never reuse a broken connection, or one that a lone BEGIN left in a transaction.
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
      await answer(asked, response);
    } catch (error) {
      sendError(response, error);
    }
  });
  server.keepAliveTimeout = 60_000;

  const sockets = new WebSocketServer({ server, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false });
  sockets.on("connection", (socket) => {
    // Ignores the address that the driver asks for. This proxy reaches one database only.
    const { hostname, port: databasePort } = new URL(options.databaseUrl);
    const database = connect(Number(databasePort || 5432), hostname).setNoDelay();
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
      await Promise.all(Object.values(queues).map((queue) => queue.end()));
    },
  };
}

/** `pg` sets the backend's process id but leaves it out of its types. */
const backendOf = (client: pg.PoolClient): number =>
  (client as pg.PoolClient & { processID: number }).processID;

/** Avoids `for await`: most bodies are one chunk, and an async iterator costs more than the read. */
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

/** Sends few headers: the Worker allocates objects for each and frees them only in full collections. */
function send(response: ServerResponse, status: number, body: string): void {
  response.sendDate = false;
  // HTTP/1.1 connections persist by default.
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

/**
 * SQLSTATE 57P is operator intervention: shut down, crashed or still starting. Other codes concern the
 * statement.
 */
const isOfStatement = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !error.code?.startsWith("57P");

/**
 * Statement errors are 400 with their fields. Without a code: 502 if the connection broke under a statement,
 * 503 if Postgres was unreachable.
 */
function sendError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (isOfStatement(error)) send(response, 400, JSON.stringify({ ...error, message }));
  else send(response, error instanceof ConnectionBroke ? 502 : 503, JSON.stringify({ message }));
}
