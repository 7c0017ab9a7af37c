import { once } from "node:events";
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Front, startFront } from "../../workers/local/front/front.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { until } from "./npm-start.ts";

/** A busy machine must not take as long to read what a test sends. */
const HEADERS_TIMEOUT_MS = 5_000;
const WITHIN_30_S = expect.stringMatching(/^([5-9]|[12]\d|30)$/);

let front: Front;
let port: number;
/** Replaces the Worker. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: IncomingMessage[] = [];
const worker = createServer((request, response) => {
  seen.push(request);
  answer(request, response);
});

beforeAll(async () => {
  port = await freePorts(3);
  await new Promise<void>((resolve) => worker.listen(port + 2, "127.0.0.1", resolve));
  const mounts = [
    (request: IncomingMessage, response: ServerResponse) =>
      request.url === "/mounted" && !!response.end("here"),
  ];
  const headersTimeoutMs = HEADERS_TIMEOUT_MS;
  front = await startFront({ ports: [port, port + 1], workerPort: port + 2, mounts, headersTimeoutMs });
});
afterAll(async () => {
  await front.close();
  worker.closeAllConnections();
  worker.close();
});
beforeEach(() => {
  seen = [];
  answer = (request, response) => void request.resume().on("end", () => response.end("fine"));
});

const url = (path: string) => `http://localhost:${port}${path}`;

/** Sends exactly these bytes. Resolves with the reply when the other side closes, or after a while. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes, "latin1");
  socket.setTimeout(10_000, () => socket.destroy());
  let received = "";
  const take = (chunk: Buffer) => {
    received += chunk;
    socket.setTimeout(1_000);
  };
  socket.on("data", take).on("error", () => {});
  await once(socket, "close");
  return received;
}

describe("an ambiguous request never reaches the Worker", () => {
  const close = "Connection: close\r\n";
  test.each([
    [400, "two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"],
    [400, "a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc"],
    [
      400,
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      400,
      "an unknown coding",
      `POST / HTTP/1.1\r\nHost: a\r\n${close}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [400, "a folded line", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n"],
    [400, "a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n"],
    [400, "bare line feeds", "GET / HTTP/1.1\nHost: a\n\n"],
    [400, "an absolute target", `GET http://localhost/ HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
    [400, "an asterisk", `OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
    [400, "two hosts", `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}\r\n`],
    [
      400,
      "a length that Connection would take away (X86)",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, Content-Length\r\nContent-Length: 27\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
    [
      400,
      "a host that Connection would take away",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, host\r\n\r\n",
    ],
    [400, "a host that is none", `GET / HTTP/1.1\r\nHost: [\r\n${close}\r\n`],
    [400, "no host", "GET / HTTP/1.1\r\n\r\n"],
    [405, "an invented method", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n"],
    [405, "an unsupported method", `PROPFIND / HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
    [405, "CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
    [431, "headers without end", `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`],
    [408, "headers that never end (X82)", "GET / HTTP/1.1\r\nHost: a\r\nX-A: "],
  ])("%i for %s", async (status, _what, bytes) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(seen).toEqual([]);
  });
});

test("a request of HTTP/1.0 may lack a Host, and reaches the API", async () => {
  expect(await raw("GET /a HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 [\s\S]*fine$/);
  expect(seen.pop()?.headers.host).toBe(`localhost:${port}`);
  await raw("GET /a HTTP/1.0\r\nHost: named.example\r\n\r\n");
  expect(seen.pop()?.headers.host).toBe("named.example");
});

test("refusals by the front are the API's error object", async () => {
  const response = await fetch(url("/"), { method: "PROPFIND" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toContain("GET");
  expect(await response.json()).toMatchObject({
    code: 405,
    message: "405 - Method Not Allowed",
    link: url("/docs/errors#method-not-allowed"),
    error: null,
    type: "method-not-allowed",
    request_id: response.headers.get("x-request-id"),
  });
  expect(await raw("GET / HTTP/1.1\nHost: a\n\n")).toContain(`"link":"${url("/docs/errors#bad-request")}"`);
});

test("the Worker learns the client's address only from the connection", async () => {
  const lies = {
    "CF-Connecting-IP": "6.6.6.6",
    "X-Forwarded-For": "6.6.6.6",
    Forwarded: "for=6.6.6.6",
    "CF-IPCountry": "XX",
  };
  await fetch(url("/a?b=c"), { headers: { ...lies, "X-Real-IP": "6.6.6.6", Authorization: "OAuth x" } });
  const [request] = seen;
  expect(JSON.stringify(request?.headers)).not.toContain("6.6.6.6");
  expect(request?.headers["cf-ipcountry"]).toBeUndefined();
  expect(request?.headers["cf-connecting-ip"]).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(request?.headers).toMatchObject({ host: `localhost:${port}`, authorization: "OAuth x" });
  expect(request?.url).toBe("/a?b=c");
});

test("behind a proxy on this machine, the client is whom the proxy names last", async () => {
  const proxied = await freePorts();
  const other = await startFront({
    ports: [proxied],
    workerPort: port + 2,
    mounts: [],
    clients: { trustedProxies: ["127.0.0.0/8", "::1"] },
  });
  const address = async (headers: Record<string, string>) => {
    await fetch(`http://localhost:${proxied}/`, { headers });
    return seen.pop()?.headers;
  };
  const lied = await address({ "X-Forwarded-For": "6.6.6.6, 203.0.113.9", "CF-Connecting-IP": "6.6.6.6" });
  expect(lied).toMatchObject({ "cf-connecting-ip": "203.0.113.9" });
  expect(JSON.stringify(lied)).not.toContain("6.6.6.6");
  expect(await address({ "X-Forwarded-For": "2001:db8::7" })).toMatchObject({
    "cf-connecting-ip": "2001:db8::7",
  });
  for (const nonsense of ["unknown", "6.6.6.6,"])
    expect((await address({ "X-Forwarded-For": nonsense }))?.["cf-connecting-ip"]).toMatch(/^(127|::1)/);
  await other.close();
});

test("the client's country is what trusted proxies name, or what a file knows of its address", async () => {
  const [proxied, direct] = [await freePorts(), await freePorts()];
  const countryOf = (address: string) => ({ "203.0.113.9": "JP" })[address];
  const clients = {
    trustedProxies: ["127.0.0.0/8", "::1", "10.0.0.0/8"],
    countryHeader: "X-Country",
    countryOf,
  };
  const fronts = await Promise.all([
    startFront({ ports: [proxied], workerPort: port + 2, mounts: [], clients }),
    startFront({
      ports: [direct],
      workerPort: port + 2,
      mounts: [],
      clients: { ...clients, trustedProxies: [] },
    }),
  ]);
  const heard = async (at: number, headers: Record<string, string>) => {
    await fetch(`http://localhost:${at}/`, { headers });
    const { "cf-ipcountry": country, "cf-connecting-ip": address } = seen.pop()?.headers ?? {};
    return [country, address];
  };
  const from = "203.0.113.9";
  expect(await heard(proxied, { "X-Country": "de", "X-Forwarded-For": from })).toEqual(["DE", from]);
  for (const unknown of ["", "Germany", "{geoip2.country_code}"])
    expect(await heard(proxied, { "X-Country": unknown, "X-Forwarded-For": from })).toEqual(["JP", from]);
  expect(await heard(proxied, { "X-Forwarded-For": `6.6.6.6, ${from}, 10.1.2.3` })).toEqual(["JP", from]);
  expect(await heard(proxied, { "CF-IPCountry": "DE", "X-Forwarded-For": "6.6.6.6" })).toEqual([
    undefined,
    "6.6.6.6",
  ]);
  const lies = { "X-Country": "DE", "CF-IPCountry": "DE", "X-Forwarded-For": from };
  expect(await heard(direct, lies)).toEqual([undefined, expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]);
  await Promise.all(fronts.map((one) => one.close()));
});

test("replies pass unchanged", async () => {
  answer = (_request, response) => {
    response.writeHead(201, ["Set-Cookie", "a=1", "Set-Cookie", "b=2", "ETag", '"x"']);
    response.end("made");
  };
  const response = await fetch(`http://127.0.0.1:${port + 1}/`);
  expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([
    201,
    "made",
    '"x"',
  ]);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await (await fetch(url("/mounted"))).text()).toBe("here");
  expect((await fetch(url("/"), { method: "HEAD" })).headers.get("etag")).toBe('"x"');
});

test("pages are compressed for those who ask, as the platform does, and nothing else is", async () => {
  const page = "<p>Hello</p>".repeat(500);
  answer = (_request, response) =>
    response.writeHead(200, { "Content-Type": "text/html; charset=UTF-8", ETag: '"v1"' }).end(page);
  const short = await fetch(url("/"));
  expect([short.headers.get("content-encoding"), short.headers.get("etag")]).toEqual(["gzip", 'W/"v1"']);
  expect(short.headers.get("vary")).toContain("Accept-Encoding");
  expect(await short.text()).toBe(page);
  for (const coding of ["identity", "br, gzip;q=0"]) {
    const plain = await fetch(url("/"), { headers: { "Accept-Encoding": coding } });
    expect([plain.headers.get("content-encoding"), plain.headers.get("etag")]).toEqual([null, '"v1"']);
    expect(await plain.text()).toBe(page);
  }
  for (const headers of [
    { "Content-Type": "application/json" },
    { "Content-Type": "text/html", "Cache-Control": "private, no-transform" },
  ]) {
    answer = (_request, response) => response.writeHead(200, headers).end(page);
    expect((await fetch(url("/"))).headers.get("content-encoding")).toBeNull();
  }
});

test("bodies stream in both directions with backpressure", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 7);
  let sent = 0;
  const body = Readable.from(
    (function* () {
      for (sent = 0; sent < 64; sent++) yield megabyte;
    })(),
  );
  const reads = Promise.withResolvers<void>();
  answer = (request, response) => void reads.promise.then(() => request.pipe(response));
  const request = openRequest(url("/"), { method: "POST" });
  body.pipe(request);
  for (let before = -1; before !== sent || sent === 0; await sleep(50)) before = sent;
  expect(sent).toBeLessThan(32);
  reads.resolve();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  expect(bytes).toBe(64 * megabyte.length);
});

test("an early refusal reaches a client that is still sending", async () => {
  answer = (_request, response) => void response.writeHead(413).end("too much");
  const response = await fetch(url("/"), { method: "POST", body: new Uint8Array(8 * 1024 * 1024) });
  expect([response.status, await response.text()]).toEqual([413, "too much"]);
});

test("the Worker is asked before the body begins, so it can refuse by the headers alone", async () => {
  answer = (_request, response) => response.writeHead(413).end("too large");
  const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5000000000\r\n\r\n";
  expect(await raw(head)).toMatch(/^HTTP\/1\.1 413 /);
});

test("the Worker learns that the client disconnected", async () => {
  let gone = false;
  answer = (_request, response) => void response.on("close", () => (gone = true)).write("first");
  const abort = new AbortController();
  const response = await fetch(url("/"), { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await until("the Worker's side is closed", () => gone);
});

test("503: without a Worker nothing is sent, and a retry is safe", async () => {
  const lonelyPort = await freePorts(2);
  const lonely = await startFront({ ports: [lonelyPort], workerPort: lonelyPort + 1, mounts: [] });
  const response = await fetch(`http://localhost:${lonelyPort}/`);
  await lonely.close();
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, WITHIN_30_S]);
  expect(await response.json()).toMatchObject({ code: 503, error: null });
});

test("a Worker that dies during a reply breaks the reply, not the front", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("half");
    setTimeout(() => response.destroy(), 50);
  };
  await expect(fetch(url("/")).then((response) => response.text())).rejects.toThrow();
  expect(await (await fetch(url("/mounted"))).text()).toBe("here");
});
