import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Front, startFront } from "../../workers/local/front/front.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { until } from "./npm-start.ts";

const SLOW_CLIENTS = 50;

let front: Front;
let port: number;
let begun = 0;
let brokenOff = 0;
/** Replies after reading everything. */
const worker = createServer((request, response) => {
  begun++;
  request.resume().on("end", () => response.end("fine"));
  request.on("error", () => brokenOff++);
});

beforeAll(async () => {
  port = await freePorts(2);
  await new Promise<void>((resolve) => worker.listen(port + 1, "127.0.0.1", resolve));
  const patience = { headersTimeoutMs: 3_000, idleTimeoutMs: 3_000 };
  front = await startFront({ ports: [port], workerPort: port + 1, mounts: [], ...patience });
});
afterAll(async () => {
  await front.close();
  worker.closeAllConnections();
  worker.close();
});
beforeEach(() => {
  begun = 0;
  brokenOff = 0;
});

/** Sends these bytes, then `drip` at intervals until it is cut off. */
async function openSlowClient(bytes: string, drip = ""): Promise<{ closed: Promise<string> }> {
  const socket: Socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk)).on("error", () => {});
  const closed = once(socket, "close").then(() => received);
  await once(socket, "connect");
  socket.write(bytes);
  const timer = setInterval(() => drip && socket.write(drip), 100);
  closed.finally(() => clearInterval(timer));
  return { closed };
}

const slowClients = (...how: Parameters<typeof openSlowClient>) =>
  Promise.all(Array.from({ length: SLOW_CLIENTS }, () => openSlowClient(...how)));

const served = async () => {
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "quick" });
  expect([reply.status, await reply.text()]).toEqual([200, "fine"]);
};

test("headers sent a byte at a time are cut off, never reach the Worker and block nobody (X82)", async () => {
  const clients = await slowClients("POST / HTTP/1.1\r\nHost: a\r\nX-A: ", "b");
  await served();
  for (const { closed } of clients) expect(await closed).not.toMatch(/^HTTP\/1\.1 2/);
  expect(begun).toBe(1);
});

test("stalled uploads are cut off, the Worker learns of it, and they block nobody (X82)", async () => {
  const clients = await slowClients("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nfirst");
  await until("the Worker has them all", () => begun === SLOW_CLIENTS);
  await served();
  for (const { closed } of clients) expect(await closed).not.toMatch(/^HTTP\/1\.1 2/);
  await until("the Worker has none of them", () => brokenOff === SLOW_CLIENTS);
});

test("clients that drip their bodies take no turn from others, however many (X82)", async () => {
  const slow = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\nx";
  const sockets = Array.from({ length: 600 }, () =>
    connect(port, "127.0.0.1", function (this: Socket) {
      this.write(slow);
    }).on("error", () => {}),
  );
  await until("the Worker has them all", () => begun === sockets.length);
  await served();
  for (const socket of sockets) socket.destroy();
});
