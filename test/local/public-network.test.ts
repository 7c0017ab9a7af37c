import { once } from "node:events";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPublicNetwork } from "../../workers/local/webhooks/public-network.ts";

/** The certificate names hooks.example; nothing but this test trusts it. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKo/oDd7cb3aHZT1v
Jp+z6NILJg2r/OUu0TLue8q7rCWhRANCAAT2IRGUQfRvy23JklJesn34d3ffsrlC
QfzUsvvfi/uzQAeBkwQ70+Oo7VIpuT36V3/GzL8xNTAK5iNr73QVjnxM
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBojCCAUegAwIBAgIUIx0GmjG88POTpnFx09TRK/FOjOAwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAgFw0yNjExMjQwMjEzNTRaGA8yMTI2
MTAzMTAyMTM1NFowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABPYhEZRB9G/LbcmSUl6yffh3d9+yuUJB/NSy+9+L+7NA
B4GTBDvT46jtUim5PfpXf8bMvzE1MArmI2vvdBWOfEyjbTBrMB0GA1UdDgQWBBSQ
QIxGITPeR7TE4iiQaKeO703UGDAfBgNVHSMEGDAWgBSQQIxGITPeR7TE4iiQaKeO
703UGDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWhvb2tzLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSQAwRgIhAJYkmCMQ8BHH2JSNCfLV8hqZjhRSnWxvLmYd+jI6
7FMCAiEA8xZR+zGYYZ3/ztxChZJHlVxgOAGJNGRIWMlxE6EHxU8=
-----END CERTIFICATE-----
`;

type Network = Awaited<ReturnType<typeof startPublicNetwork>>;

/** A listener with an address that this test calls public. */
const received: { url?: string; host?: string; id?: unknown; body: string }[] = [];
let connections = 0;
const receiver = createSecureServer({ key: KEY, cert: CERTIFICATE }, async (incoming, response) => {
  const { url, headers } = incoming;
  received.push({ url, host: headers.host, id: headers["webhook-id"], body: await text(incoming) });
  response.writeHead(429, { "Retry-After": "7", "Set-Cookie": "a=b" }).write("a reply without an end");
});
receiver.on("connection", () => connections++);

const dns = createServer((_request, response) =>
  response.end(JSON.stringify({ Answer: [{ type: 1, data: "127.0.0.1" }] })),
);

const listen = async (server: typeof dns | typeof receiver) => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

let port: number;
let open: Network;
let closed: Network;

beforeAll(async () => {
  port = await listen(receiver);
  const DNS_URL = `http://127.0.0.1:${await listen(dns)}/`;
  open = await startPublicNetwork({
    DNS_URL,
    secret: "s",
    ca: CERTIFICATE,
    isAllowed: (one) => one === "127.0.0.1",
  });
  closed = await startPublicNetwork({ DNS_URL, secret: "s", ca: CERTIFICATE });
});
afterAll(async () => {
  await Promise.all([open.stop(), closed.stop()]);
  for (const server of [receiver, dns]) server.close().closeAllConnections();
});

/** Sends as workerd does: the request line has the whole address. */
async function send(network: Network, url: string, secret = "s", method: "POST" | "GET" = "POST") {
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "msg_1",
    "Proxy-Authorization": `Bearer ${secret}`,
  };
  const sending = request({ port: network.port, host: "127.0.0.1", method, path: url, headers });
  sending.end(method === "POST" ? '{"a":1}' : undefined);
  const [reply] = await once(sending, "response");
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
}

test("a webhook arrives at the address that was looked up, with the name for TLS and Host", async () => {
  const { status, headers, body } = await send(open, `https://hooks.example:${port}/in?a=1`);
  expect([status, headers["retry-after"], headers["set-cookie"], body]).toEqual([429, "7", undefined, ""]);
  expect(received).toEqual([{ url: "/in?a=1", host: `hooks.example:${port}`, id: "msg_1", body: '{"a":1}' }]);
});

test("another account of this machine gets no connection", async () => {
  const before = connections;
  await expect(send(open, `https://hooks.example:${port}/in`, "guess")).rejects.toThrow("socket hang up");
  expect(connections).toBe(before);
});

test.each([
  ["a name of a private address", () => `https://hooks.example:${port}/`],
  ["a private address", () => `https://127.0.0.1:${port}/`],
  ["plain http", () => `http://hooks.example:${port}/`],
  ["a page's request to this port", () => "/"],
])("%s gets no connection", async (_what, url) => {
  const before = connections;
  await expect(send(closed, url())).rejects.toThrow("socket hang up");
  expect(connections).toBe(before);
});

/** A host of podcasts without TLS. */
const files = createServer(({ headers }, response) =>
  response
    .writeHead(206, {
      "Content-Type": "audio/mpeg",
      "Content-Range": "bytes 5-8/9",
      ETag: '"a"',
      "Set-Cookie": "a=b",
    })
    .end(`${headers.host} ${headers.range}`),
);
afterAll(() => files.close().closeAllConnections());

test("a file that is read arrives whole, over plain http too, with what names its range", async () => {
  const at = await listen(files);
  const { status, headers, body } = await send(open, `http://hooks.example:${at}/1.mp3`, "s", "GET");
  expect([status, headers["content-type"], headers["content-range"], headers.etag]).toEqual([
    206,
    "audio/mpeg",
    "bytes 5-8/9",
    '"a"',
  ]);
  expect([body, headers["set-cookie"]]).toEqual([`hooks.example:${at} undefined`, undefined]);
});

test("a feed whose name leads to a private address is not read", async () => {
  const before = connections;
  await expect(send(closed, `https://hooks.example:${port}/feed.xml`, "s", "GET")).rejects.toThrow(
    "socket hang up",
  );
  await expect(send(closed, "http://169.254.169.254/latest", "s", "GET")).rejects.toThrow("socket hang up");
  expect(connections).toBe(before);
});
