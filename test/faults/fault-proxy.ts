import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { listenForWorker } from "../../workers/local/worker/loopback.ts";

type Trouble = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>;

/** Stands between the Worker and the database's HTTP proxy and injects network faults. */
export async function openFaultProxy() {
  let target = "";
  let trouble: Trouble | undefined;
  let remaining = Infinity;
  let server: Server | undefined;
  let about = [""];

  async function ask(request: IncomingMessage, body: Buffer) {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (!/^(host|connection|content-length|transfer-encoding)$/.test(name))
        headers.set(name, String(value));
    const reply = await fetch(target, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
    });
    return { status: reply.status, body: Buffer.from(await reply.arrayBuffer()) };
  }

  const forward: Trouble = async (request, response, sent) => {
    const { status, body } = await ask(request, sent);
    response
      .writeHead(status, { "Content-Type": "application/json", "Content-Length": body.length })
      .end(body);
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const text = body.toString("utf8");
    // Presence is written after replies, at any time, so faults spare it.
    const meant =
      trouble !== undefined &&
      about.some((value) => text.includes(value)) &&
      !text.includes("note_presence_");
    await (meant && remaining-- > 0 && trouble ? trouble : forward)(request, response, body);
  }

  // Outside the kernel's own range, from which a client's connection to a refusing port may take that very port.
  const port = await freePorts(1);

  async function listen(): Promise<void> {
    server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await listenForWorker(server, port);
  }

  const close = async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  };

  const suffering = (next: Trouble, times: number) => {
    trouble = next;
    remaining = times;
  };

  await listen();
  return {
    url: `http://127.0.0.1:${port}/sql`,
    leadTo: (url: string) => {
      target = url;
    },
    /** Limits faults to statements with one of these values, because queues and crons send their own. */
    meet: (...values: string[]) => {
      about = values;
    },
    /** Faults that are still to come. */
    left: () => Math.max(0, remaining),
    /** Refuses connections. */
    down: close,
    async up() {
      trouble = undefined;
      if (!server?.listening) await listen();
    },
    blackhole: () => suffering(() => new Promise(() => {}), Infinity),
    slow: (ms: number) => suffering((...one) => sleep(ms).then(() => forward(...one)), Infinity),
    /** Breaks the connection before the statement reaches the database. */
    cutStatements: (times: number) => suffering(async (request) => void request.socket.destroy(), times),
    /** Executes the statement and breaks the connection before its reply. */
    loseReplies: (times: number) =>
      suffering(async (request, response, sent) => {
        await ask(request, sent);
        response.destroy();
      }, times),
    /** Executes the statement and never replies. */
    swallowReplies: (times: number) =>
      suffering(async (request, _response, sent) => void (await ask(request, sent)), times),
    /** Executes the statement and breaks the connection during the reply. */
    breakReplies: (times: number) =>
      suffering(async (request, response, sent) => {
        const { status, body } = await ask(request, sent);
        response.writeHead(status, { "Content-Type": "application/json", "Content-Length": body.length });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
      }, times),
    /** Refuses the statement like the database. */
    refuse: (sqlstate: string, times = Infinity) =>
      suffering(async (_request, response) => {
        const body = JSON.stringify({ code: sqlstate, severity: "ERROR", message: "SELECT secret_text" });
        response.writeHead(400, { "Content-Type": "application/json" }).end(body);
      }, times),
    close,
  };
}
