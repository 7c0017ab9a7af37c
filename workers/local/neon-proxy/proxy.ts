import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { createInnerServer, innerUrl, listenForWorker } from "../worker/loopback.ts";
import { NeonRequest } from "./protocol.ts";
import { ConnectionBroke, isOfStatement, ProxiedDatabase } from "./proxied-database.ts";

/** Neon's own limit on a request: neon.com/docs/serverless/serverless-driver */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

type NeonProxy = { url: string; port: number; close(): Promise<void> };

/** Speaks the protocol of Neon's proxy over HTTP, for a statement or a batch. */
export async function startNeonProxy(options: {
  port: number;
  secret: string;
  /** Only its host, port and TLS count: role and database come with each statement. */
  databaseUrl: string;
}): Promise<NeonProxy> {
  const database = new ProxiedDatabase(options.databaseUrl);
  const server = createInnerServer(options.secret, async (request, response) => {
    try {
      if (request.method === "GET") return send(response, 200, JSON.stringify(database.stats));
      const asked = NeonRequest.parse({ headers: request.headers, body: JSON.parse(await text(request)) });
      const result = await database.answer(asked, response);
      if (result) send(response, 200, JSON.stringify(result));
    } catch (error) {
      sendError(response, error);
    }
  });
  const port = await listenForWorker(server, options.port);
  return {
    port,
    url: `${innerUrl(port, options.secret)}/sql`,
    async close() {
      server.close();
      server.closeAllConnections();
      await database.end();
    },
  };
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
  const message = messageOf(error);
  if (isOfStatement(error)) send(response, 400, JSON.stringify({ ...error, message }));
  else send(response, error instanceof ConnectionBroke ? 502 : 503, JSON.stringify({ message }));
}
