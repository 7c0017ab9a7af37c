import { connect } from "node:net";

/** What `get.ts` asks for, as JSON in the first argument. */
export interface Load {
  port: number;
  path: string;
  headers: Record<string, string>;
  requests: number;
  connections: number;
}

export interface LoadResult {
  wallS: number;
  p50Ms: number;
  p99Ms: number;
}

/** A process of its own, on bare sockets: an HTTP client would take as much CPU as what it measures. */
const load = JSON.parse(process.argv[2] ?? "{}") as Load;
const head = Object.entries({ Host: `localhost:${load.port}`, ...load.headers }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
);
const request = Buffer.from(`GET ${load.path} HTTP/1.1\r\n${head.join("")}\r\n`);
const took: number[] = [];
let left = load.requests;

/** Whether a whole reply has come; what is not 200 ends the run. */
function isWhole(reply: string): boolean {
  const headEnd = reply.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  if (!reply.startsWith("HTTP/1.1 200 ")) throw new Error(reply);
  const length = /\r\ncontent-length: (\d+)/i.exec(reply)?.[1];
  return length === undefined
    ? reply.endsWith("\r\n0\r\n\r\n")
    : reply.length >= headEnd + "\r\n\r\n".length + Number(length);
}

/** One keep-alive connection: the next request follows the last reply. */
const client = () =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(load.port, "127.0.0.1").setNoDelay().setEncoding("latin1");
    let [reply, sentMs] = ["", 0];
    const next = () => {
      if (left-- <= 0) return socket.end(resolve);
      [reply, sentMs] = ["", performance.now()];
      return socket.write(request);
    };
    socket.on("connect", next).on("error", reject);
    socket.on("close", () => reject(new Error("The Worker hung up")));
    socket.on("data", (text) => {
      reply += text;
      if (!isWhole(reply)) return;
      took.push(performance.now() - sentMs);
      next();
    });
  });

const startedMs = performance.now();
await Promise.all(Array.from({ length: load.connections }, client));
const wallS = (performance.now() - startedMs) / 1000;
const sorted = took.sort((a, b) => a - b);
const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
console.log(JSON.stringify({ wallS, p50Ms: at(0.5), p99Ms: at(0.99) } satisfies LoadResult));
