import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** JSON in the first argument. */
export interface Load {
  port: number;
  /** Several paths are requested in turn. */
  path: string | string[];
  method?: "GET" | "POST";
  headers: Record<string, string>;
  requests: number;
  connections: number;
  /**
   * Requests per second, each at a random moment of its interval. Waiting counts as latency. `undefined`: as
   * fast as replies come.
   */
  rate?: number;
  /** Milliseconds since 1970. `undefined`: as soon as everything is read and connected. */
  startsAt?: number;
  /** A file with a `Sent` per line, used in turn, for requests that differ. */
  lines?: string;
  /** Each connection takes one line and sends the refresh token of each reply with its next request. */
  chained?: boolean;
}

/** A request's own parts. */
export interface Sent {
  /** Default: the load's own. */
  method?: "GET" | "POST" | "DELETE";
  path?: string;
  headers: Record<string, string>;
  /** The token replaces `REFRESH`. */
  body: string;
  refresh?: string;
}

export interface LoadResult {
  wallS: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** Last token of each chain, in the order of the lines. */
  refresh: string[];
}

/** Runs as a process on bare sockets. An HTTP client would use as much CPU as the server it measures. */
const load = JSON.parse(process.argv[2] ?? "{}") as Load;
const lines: Sent[] = load.lines
  ? readFileSync(load.lines, "utf8")
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];
const { port, method: usualMethod = "GET", connections, rate } = load;
const paths = [load.path].flat();
const took: number[] = [];
const refresh = lines.map((line) => line.refresh ?? "");
let left = load.requests;

function bytesOf({ method = usualMethod, path = paths[0], headers, body }: Sent): Buffer {
  const length = method === "POST" ? { "Content-Length": String(Buffer.byteLength(body)) } : {};
  const named = { Host: `localhost:${port}`, ...load.headers, ...headers, ...length };
  const head = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
}

/** Built before the first request, because building would take time from the measurement. */
const ready = lines.length
  ? lines.map((line) => bytesOf(line))
  : paths.map((path) => bytesOf({ path, headers: {}, body: "" }));
let taken = 0;
/** Requests whose time has come. */
let due = 0;

function nextRequest(connection: number): Buffer {
  const line = load.chained && lines[connection];
  if (!line) return ready[taken++ % ready.length] ?? Buffer.alloc(0);
  return bytesOf({ ...line, body: line.body.replace("REFRESH", refresh[connection] ?? "") });
}

/** Whether a whole reply has arrived. Throws unless it is 200. */
function isWhole(reply: string): boolean {
  const headEnd = reply.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  if (!reply.startsWith("HTTP/1.1 200 ")) throw new Error(reply);
  const length = /\r\ncontent-length: (\d+)/i.exec(reply)?.[1];
  return length === undefined
    ? reply.endsWith("\r\n0\r\n\r\n")
    : reply.length >= headEnd + "\r\n\r\n".length + Number(length);
}

const connected = () =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay().setEncoding("latin1");
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });

/** Waits for the first request's time. */
async function begin(): Promise<number> {
  const nowMs = Date.now();
  const waitMs = (load.startsAt ?? nowMs) - nowMs;
  if (waitMs < 0) throw new Error(`Ready ${-waitMs} ms late`);
  await sleep(waitMs);
  return performance.now();
}

/** Random, so that concurrent loads with multiples of a rate do not synchronize. */
const dueAt = (turn: number, perSecond: number) => startedMs + ((turn + Math.random()) * 1000) / perSecond;

/** One keep-alive connection. Each request follows the previous reply. */
const client = (socket: Socket, connection: number) =>
  new Promise<void>((resolve, reject) => {
    let [reply, sentMs] = ["", 0];
    const next = () => {
      if (left-- <= 0) return socket.end(resolve);
      const dueMs = rate ? dueAt(due++, rate) : performance.now();
      [reply, sentMs] = ["", dueMs];
      const waitMs = dueMs - performance.now();
      const write = () => socket.write(nextRequest(connection));
      return waitMs > 0 ? setTimeout(write, waitMs) : write();
    };
    socket.on("error", reject).on("close", () => reject(new Error("The server hung up")));
    socket.on("data", (text) => {
      reply += text;
      if (!isWhole(reply)) return;
      took.push(performance.now() - sentMs);
      if (load.chained) refresh[connection] = /"refresh_token":"([^"]+)"/.exec(reply)?.[1] ?? "";
      next();
    });
    next();
  });

const sockets = await Promise.all(Array.from({ length: connections }, connected));
const startedMs = await begin();
await Promise.all(sockets.map(client));
const wallS = (performance.now() - startedMs) / 1000;
const sorted = took.sort((a, b) => a - b);
const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
console.log(
  JSON.stringify({ wallS, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), refresh } satisfies LoadResult),
);
