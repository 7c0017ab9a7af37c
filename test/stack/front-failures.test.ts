import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Front, startFront } from "../../workers/local/front/front.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { until } from "./npm-start.ts";

let front: Front;
let lonely: Front;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let connections: Set<Socket>;

const worker = createServer({ keepAliveTimeout: 0 }, (request, response) => answer(request, response));
worker.on("connection", (socket) => {
  connections.add(socket);
  socket.on("close", () => connections.delete(socket));
});

beforeAll(async () => {
  connections = new Set();
  port = await freePorts(4);
  await new Promise<void>((resolve) => worker.listen(port + 1, "127.0.0.1", resolve));
  front = await startFront({ ports: [port], workerPort: port + 1, mounts: [] });
  lonely = await startFront({ ports: [port + 2], workerPort: port + 3, mounts: [] });
});
afterAll(async () => {
  await Promise.all([front.close(), lonely.close()]);
  worker.closeAllConnections();
  worker.close();
});
beforeEach(() => {
  answer = (request, response) => void request.resume().on("end", () => response.end("fine"));
});

const WITHIN_30_S = expect.stringMatching(/^([5-9]|[12]\d|30)$/);

/** Imitates a Worker that is killed during a request. */
const dies = (request: IncomingMessage) => request.resume().on("end", () => request.socket.destroy());

const ask = async (at: number, method: string, path: string) => {
  const reply = await fetch(`http://localhost:${at}${path}`, {
    method,
    body: method === "POST" || method === "PUT" ? "grant_type=refresh_token" : undefined,
  });
  const text = await reply.text();
  return {
    status: reply.status,
    retryAfter: reply.headers.get("Retry-After"),
    cors: reply.headers.get("Access-Control-Allow-Origin"),
    body: text ? JSON.parse(text) : undefined,
  };
};

test.for(["POST", "PUT", "DELETE"])(
  "504: %s whose connection breaks after it was sent may have succeeded",
  async (method) => {
    answer = dies;
    const { status, retryAfter, cors, body } = await ask(port, method, "/tracks/1");
    expect([status, retryAfter, cors]).toEqual([504, null, "*"]);
    expect(body).toMatchObject({
      code: 504,
      message: "504 - Gateway Timeout",
      errors: [{ error_message: expect.stringContaining("check the resource") }],
      error: null,
    });
  },
);

test("503: a read whose connection breaks did nothing", async () => {
  answer = dies;
  for (const method of ["GET", "HEAD"]) {
    const { status, retryAfter } = await ask(port, method, "/tracks/1");
    expect([status, retryAfter]).toEqual([503, WITHIN_30_S]);
  }
});

test.for([
  ["GET", 503, "tries again", true],
  ["POST", 504, "look before you send it again", false],
] as const)("a browser gets a page of words: %s, %i", async ([method, status, words, reloads]) => {
  answer = dies;
  const reply = await fetch(`http://localhost:${port}/mara/night-ferry`, {
    method,
    headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
  });
  const html = await reply.text();
  expect([reply.status, reply.headers.get("Content-Type")]).toEqual([status, "text/html; charset=utf-8"]);
  expect(html).toContain(words);
  // A form that is sent again might act twice.
  expect(html.includes('http-equiv="refresh"')).toBe(reloads);
});

test("503: a write that was never sent did nothing", async () => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const { status, retryAfter, body } = await ask(port + 2, method, "/tracks/1");
    expect([status, retryAfter]).toEqual([503, WITHIN_30_S]);
    expect(body).toMatchObject({
      code: 503,
      errors: [{ error_message: expect.stringContaining("nothing was done") }],
    });
  }
});

test.for(["/oauth/token", "/oauth/token/", "/oauth/revoke", "/oauth/introspect"])(
  "%s fails in its own form, whether or not it was sent",
  async (path) => {
    answer = dies;
    for (const [at, status] of [
      [port, 504],
      [port + 2, 503],
    ] as const) {
      const oauthReply = await ask(at, "POST", path);
      expect(oauthReply).toMatchObject({
        status,
        body: {
          code: status,
          message: expect.stringMatching(`^${status} - `),
          error: "temporarily_unavailable",
          error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        },
      });
    }
  },
);

test("the front never reuses a connection that the runtime is about to close", async () => {
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  expect(connections.size).toBeGreaterThan(0);
  // The runtime closes them after 15 s. The front ends them before, as a signal from the other side shows.
  const endedByFront = new Set<Socket>();
  for (const socket of connections) {
    socket.once("end", () => endedByFront.add(socket));
    socket.setTimeout(15_000, () => socket.destroy());
  }
  const open = [...connections];
  await until("the front has let go of them", () => connections.size === 0);
  expect([...endedByFront]).toEqual(open);
  await sleep(10);
  expect((await fetch(`http://localhost:${port}/`, { method: "POST", body: "x" })).status).toBe(200);
});
