import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `hold` never answers. */
type Fate = "pass" | "503" | "reset" | "hold";

/**
 * A proxy for a browser's context, which decides about each part and each call. Once a page has a route of
 * Playwright's, every body is copied, which takes seconds for a part.
 */
export async function startStorageGate() {
  const gate = {
    url: "",
    /** Numbers of the parts that arrived, in order. */
    sent: [] as number[],
    /** Key and number of the parts that storage took. */
    stored: [] as string[],
    /** Parts on their way now, those that nothing befalls, and at most so far. */
    moving: 0,
    passing: 0,
    mostMoving: 0,
    fate: (_number: number, _path: string): Fate => "pass",
    /** Whether the API answers a POST with 503. */
    isDown: (_path: string) => false,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((incoming, reply) => {
    const number = Number(/[?&]partNumber=(\d+)/.exec(incoming.url ?? "")?.[1]);
    if (incoming.method === "POST" && gate.isDown(new URL(incoming.url ?? "").pathname))
      return refuse(incoming, reply);
    if (incoming.method !== "PUT" || !number) return pass(incoming, reply);
    gate.sent.push(number);
    gate.mostMoving = Math.max(gate.mostMoving, ++gate.moving);
    reply.once("close", () => gate.moving--);
    const fate = gate.fate(number, new URL(incoming.url ?? "").pathname);
    if (fate === "pass") {
      gate.passing++;
      reply.once("close", () => gate.passing--);
      pass(incoming, reply, (status) => {
        if (status === 200) gate.stored.push(`${new URL(incoming.url ?? "").pathname} ${number}`);
      });
    }
    if (fate === "reset") incoming.once("data", () => incoming.socket.resetAndDestroy());
    if (fate === "503") refuse(incoming, reply);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

function refuse(incoming: IncomingMessage, reply: ServerResponse): void {
  incoming.resume();
  incoming.once("end", () => reply.writeHead(503, { "Access-Control-Allow-Origin": "*" }).end());
}

/** Proxies are asked for whole addresses. */
function pass(
  incoming: IncomingMessage,
  reply: ServerResponse,
  onStatus: (status: number) => void = () => {},
): void {
  const { method, url = "", headers } = incoming;
  const [, host, port, path] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? [];
  const onward = request({ host, port, path, method, headers }, (answer) => {
    onStatus(answer.statusCode ?? 502);
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  });
  onward.once("error", () => reply.destroy());
  incoming.pipe(onward);
}
