import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { type ClientSources, clientFacts } from "./client-facts.ts";
import { compressed } from "./compressed.ts";
import { errorReply, type FrontReply, refuseUnparsed, upstreamFailure } from "./errors.ts";
import { ALLOWED_METHODS, escapedPath, findRefusal, forwardedHeaders, repliedHeaders } from "./rules.ts";

/** Limits clients that send their headers a byte at a time. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Idle in both directions. Long uploads and long polls are not idle. */
const IDLE_TIMEOUT_MS = 120_000;
/** The idle timeout that clients are told. */
const KEEP_ALIVE_MS = 20_000;
/** Added to that before the connection closes, because a busy client may take seconds to reuse or close it. */
const KEEP_ALIVE_BUFFER_MS = 10_000;
/** workerd closes connections after 15 idle seconds. A request that reuses one at that moment fails. */
const REUSED_WITHIN_MS = 5_000;
/** Bytes in each direction. The platform allows 16 KiB of URL alone. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Grace for requests in flight when the stack stops. */
const DRAIN_MS = 3_000;

/** Returns `true` if it answered the request. Otherwise the Worker gets it. */
export type Mount = (request: IncomingMessage, response: ServerResponse) => boolean;

type FrontOptions = {
  ports: number[];
  /** Addresses to listen on. */
  hosts?: string[];
  /** Sources of clients' addresses and countries. Default: the connection alone. */
  clients?: ClientSources;
  workerPort: number;
  /** The Worker answers nobody without it. */
  secret?: string;
  /** The API's address, as clients see it. Default: the first port of this machine. */
  apiUrl?: string;
  mounts: Mount[];
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
};
export type Front = { close(): Promise<void> };

/** Does the edge's part before a Worker: valid requests, true client addresses, no half-open connections. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const {
    ports,
    hosts = ["127.0.0.1", "::1"],
    workerPort,
    secret = "",
    clients = { trustedProxies: [] },
    mounts,
  } = options;
  const { apiUrl = `http://localhost:${ports[0]}` } = options;
  const factsOf = clientFacts(clients);
  const agent = new Agent({ keepAlive: true, timeout: REUSED_WITHIN_MS });
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const refused = findRefusal(request);
    if (refused) {
      const [status, cause] = refused;
      const { headers, ...reply } = errorReply(apiUrl, status, cause);
      return send(response, { ...reply, headers: { ...headers, Allow: ALLOWED_METHODS } });
    }
    if (mounts.some((mount) => mount(request, response))) return;
    forward(request, response, { agent, workerPort, secret, factsOf, apiUrl });
  };
  const doors = ports.flatMap((port) => hosts.map((host) => ({ port, host })));
  const servers = await Promise.all(doors.map((door) => listen(openServer(options, apiUrl, serve), door)));
  return {
    async close() {
      await drain(servers);
      agent.destroy();
    },
  };
}

interface Way {
  agent: Agent;
  workerPort: number;
  secret: string;
  factsOf: ReturnType<typeof clientFacts>;
  apiUrl: string;
}

/** Passes a request to the Worker, and its reply to the client. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, workerPort, secret, factsOf, apiUrl }: Way,
): void {
  const upstream = openRequest({
    host: "127.0.0.1",
    port: workerPort,
    agent,
    method: request.method,
    path: escapedPath(request),
    headers: forwardedHeaders(request, factsOf(request), { secret, usualHost: new URL(apiUrl).host }),
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  upstream.on("response", (answer) => {
    const headers = repliedHeaders(answer);
    const page = compressed(request, answer, headers);
    response.writeHead(answer.statusCode ?? 502, page?.headers ?? headers);
    pipeline([answer, ...(page ? [page.gzip] : []), response], () => {
      // The Worker answered early, so the rest of the body is discarded.
      if (!request.complete) request.unpipe(upstream).resume();
    });
  });
  let sent = false;
  upstream.on("socket", (socket) => {
    if (socket.connecting) socket.once("connect", () => (sent = true));
    else sent = true;
  });
  upstream.on("error", () => {
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) send(response, upstreamFailure(apiUrl, request, sent));
  });
  response.on("close", () => response.writableFinished || upstream.destroy());
  request.on("error", () => upstream.destroy()).pipe(upstream);
  // Node holds the headers back until the body's first byte, and workerd closes a connection that says nothing.
  setImmediate(() => request.complete || upstream.flushHeaders());
}

function openServer(
  { headersTimeoutMs = HEADERS_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS }: FrontOptions,
  apiUrl: string,
  serve: RequestListener,
): Server {
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, 1_000),
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutBuffer: KEEP_ALIVE_BUFFER_MS,
  };
  return createServer(settings, serve)
    .on("clientError", (error, socket) => refuseUnparsed(apiUrl, error, socket))
    .on("connect", (_request, socket) =>
      socket.end("HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n"),
    )
    .setTimeout(idleTimeoutMs);
}

/** Browsers may resolve `localhost` to ::1. Machines without IPv6 skip it. */
async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      host === "::1" && error.code !== "EADDRINUSE" ? resolve() : reject(error),
    );
    server.listen({ port, host, ipv6Only: true }, resolve);
  });
  return server;
}

/** Closes the servers, and after a grace the connections of requests that are still in flight. */
async function drain(servers: Server[]): Promise<void> {
  const closed = servers.map(
    (server) =>
      new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve())),
  );
  for (const server of servers) server.closeIdleConnections();
  const late = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, DRAIN_MS);
  await Promise.all(closed);
  clearTimeout(late);
}

function send(response: ServerResponse, { status, body, headers }: FrontReply): void {
  response.writeHead(status, headers).end(body);
}
