import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenForWorker } from "../../workers/local/worker/loopback.ts";

/** Never reply, say that the disk is full, stall the reply or the request after some bytes, send a chunk at a time, or break the connection. */
export type Slowness =
  | { kind: "mute" }
  | { kind: "full" }
  | { kind: "request lost" }
  | { kind: "reply lost" }
  | { kind: "reply cut"; afterBytes: number }
  | { kind: "reply stalls"; afterBytes: number }
  | { kind: "request stalls"; afterBytes: number }
  | { kind: "reply trickles"; chunkBytes: number; eachMs: number };

interface Order {
  match: RegExp;
  slowness: Slowness;
  times: number;
  met: () => void;
}

/** Proxies the object store, which signs for this address, or the gateway. It refuses nothing. */
export async function openStallingStorage() {
  const orders: Order[] = [];
  let target: URL | undefined;

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    const order = orders.find(({ match, times }) => times > 0 && match.test(line));
    if (order) order.times -= 1;
    order?.met();
    pass(request, response, order?.slowness).catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse, slowness?: Slowness) {
    if (slowness?.kind === "mute") return void request.resume();
    if (slowness?.kind === "full") {
      request.resume().once("end", () => response.writeHead(507).end());
      return;
    }
    if (slowness?.kind === "request stalls") return take(request, slowness.afterBytes);
    if (slowness?.kind === "request lost") return void response.destroy();
    const options: RequestOptions = {
      host: target?.hostname,
      port: target?.port,
      method: request.method,
      path: request.url,
      headers: request.headers,
    };
    const onwards = openRequest(options);
    request.pipe(onwards);
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      onwards.once("response", resolve).once("error", reject);
    });
    response.on("close", () => reply.destroy());
    if (slowness?.kind === "reply lost") return void response.destroy();
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    if (slowness?.kind === "reply stalls") return give(reply, response, slowness.afterBytes);
    if (slowness?.kind === "reply cut") return cut(reply, response, slowness.afterBytes);
    if (slowness?.kind === "reply trickles") return trickle(reply, response, slowness);
    reply.pipe(response);
  }

  const port = await listenForWorker(server);
  return {
    url: `http://localhost:${port}`,
    leadTo(url: string) {
      target = new URL(url);
    },
    /** Applies to the next requests whose "METHOD /path?query" matches. Resolves when the first has come. */
    order: (match: RegExp, slowness: Slowness, times = 1) =>
      new Promise<void>((met) => void orders.push({ match, slowness, times, met })),
    /** Forgets the orders that no request has met. */
    calm: () => void orders.splice(0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Reads this many bytes, then stops. */
async function take(request: IncomingMessage, bytes: number): Promise<void> {
  let taken = 0;
  request.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    if (taken >= bytes) request.pause();
  });
}

async function give(reply: IncomingMessage, response: ServerResponse, bytes: number): Promise<void> {
  let given = 0;
  response.flushHeaders();
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    response.write(chunk.subarray(0, bytes - given));
    given += chunk.length;
    if (given >= bytes) return new Promise(() => {});
  }
  response.end();
}

/** Breaks the connection after this many bytes. */
async function cut(reply: IncomingMessage, response: ServerResponse, bytes: number): Promise<void> {
  let given = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    response.write(chunk.subarray(0, bytes - given));
    given += chunk.length;
    if (given >= bytes) break;
  }
  // The bytes must leave before the connection breaks.
  response.write("", () => response.destroy());
}

async function trickle(
  reply: IncomingMessage,
  response: ServerResponse,
  { chunkBytes, eachMs }: { chunkBytes: number; eachMs: number },
): Promise<void> {
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += chunkBytes) {
      response.write(chunk.subarray(at, at + chunkBytes));
      await sleep(eachMs);
    }
  }
  response.end();
}
