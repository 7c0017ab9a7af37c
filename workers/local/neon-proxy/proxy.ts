import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { createWebSocketStream, WebSocketServer } from "ws";
import { listenForWorker } from "../worker/loopback.ts";
import { NeonRequest } from "./protocol.ts";
import { ConnectionBroke, isOfStatement, ProxiedDatabase } from "./proxied-database.ts";

/** Neon's own limit on a request: neon.com/docs/serverless/serverless-driver */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

type NeonProxy = { url: string; port: number; close(): Promise<void> };

/** Speaks the protocol of Neon's proxy: HTTP for a statement or batch, WebSocket as a raw pipe. */
export async function startNeonProxy(options: {
  port: number;
  /** Only its host, port and TLS count: role and database come with each statement. */
  databaseUrl: string;
}): Promise<NeonProxy> {
  const database = new ProxiedDatabase(options.databaseUrl);
  const server = createServer(async (request, response) => {
    try {
      if (request.method === "GET") return send(response, 200, JSON.stringify(database.stats));
      const asked = NeonRequest.parse({ headers: request.headers, body: JSON.parse(await text(request)) });
      const result = await database.answer(asked, response);
      if (result) send(response, 200, JSON.stringify(result));
    } catch (error) {
      sendError(response, error);
    }
  });
  const sockets = relaySockets(server, options.databaseUrl);

  const port = await listenForWorker(server, options.port);
  return {
    port,
    url: `http://127.0.0.1:${port}/sql`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await database.end();
    },
  };
}

/** Ignores the address that the driver asks for. This proxy reaches one database only. */
function relaySockets(server: Server, databaseUrl: string): WebSocketServer {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new WebSocketServer({ server, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false });
  return sockets.on("connection", (socket) => {
    const database = connect(Number(port || 5432), hostname).setNoDelay();
    const stream = createWebSocketStream(socket);
    const close = () => {
      stream.destroy();
      database.destroy();
    };
    stream.on("error", close).on("close", close).pipe(database);
    database.on("error", close).on("close", close).pipe(stream);
  });
}

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

/**
 * Statement errors are 400 with their fields. Without a code: 502 if the connection broke under a statement,
 * 503 if Postgres was unreachable.
 */
function sendError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (isOfStatement(error)) send(response, 400, JSON.stringify({ ...error, message }));
  else send(response, error instanceof ConnectionBroke ? 502 : 503, JSON.stringify({ message }));
}
