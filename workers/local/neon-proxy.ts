import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pg from "pg";
import { createWebSocketStream, WebSocketServer } from "ws";
import { KnownReads } from "./known-reads.ts";
import { Lane } from "./lane.ts";
import { batchStart, NeonRequest, type NeonStatement } from "./neon-protocol.ts";

/** As Neon's own limit on a request: neon.com/docs/serverless/serverless-driver */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Statements kept for `GET /stats`. */
const RECENT = 500;

/** Text as Postgres sends it: the driver at the other end parses. */
const AS_SENT = { rowMode: "array", types: { getTypeParser: () => (value: string) => value } };

export type NeonProxy = { url: string; port: number; close(): Promise<void> };

/** Speaks to the Neon driver as Neon's own proxy does: one HTTP request a statement or batch, or a WebSocket as a pipe. */
export async function startNeonProxy(options: { port: number; databasePort: number }): Promise<NeonProxy> {
  // What writes waits for the disk, of all of it at once: what reads is not to wait for that.
  const lanes = { reads: new Lane(options.databasePort), writes: new Lane(options.databasePort) };
  const knownReads = new KnownReads();
  const stats = { requests: 0, queries: 0, reads: 0, recent: [] as { request: number; text: string }[] };

  const reads = (text: string, connectionString: string) =>
    knownReads.has(text, (asked, values) => lanes.reads.poolFor(connectionString).query(asked, values));

  function onlyReads({ headers, body }: NeonRequest): boolean {
    if ("queries" in body) return headers["neon-batch-read-only"] === "true";
    return reads(body.query, headers["neon-connection-string"]);
  }

  async function answer(asked: NeonRequest, response: ServerResponse): Promise<void> {
    const role = asked.headers["neon-connection-string"];
    const [lane, other] = onlyReads(asked) ? [lanes.reads, lanes.writes] : [lanes.writes, lanes.reads];
    await lane.during(role, (pool) => answerOver(pool, other.poolFor(role), asked, response));
  }

  async function answerOver(
    pool: pg.Pool,
    other: pg.Pool,
    asked: NeonRequest,
    response: ServerResponse,
  ): Promise<void> {
    const number = ++stats.requests;
    const client = await pool.connect();
    // Went away while it waited for its turn.
    if (response.destroyed) return client.release();
    let broken = false;
    // The asker has given up: nobody waits for the rows, and the statement would hold its locks. Where it is one of so many
    // that they have all of their connections, none of these could be used to end them.
    const cancel = () =>
      void other.query("SELECT pg_cancel_backend($1)", [backendOf(client)]).catch(() => {});
    response.once("close", cancel);
    const run = async ({ query, params }: NeonStatement) => {
      stats.queries++;
      stats.recent.push({ request: number, text: query });
      if (stats.recent.length > RECENT) stats.recent.shift();
      if (reads(query, asked.headers["neon-connection-string"])) stats.reads++;
      // Unnamed: as behind Neon's proxy, Postgres parses and plans each anew.
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
      await answer(asked, response);
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
      await Promise.all(Object.values(lanes).map((lane) => lane.end()));
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
