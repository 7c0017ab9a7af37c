import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Printed as one line of JSON. */
export interface CacheReady {
  port: number;
}

/**
 * The cache of a data centre as workerd reaches it: GET finds a file by its address, and PUT stores the
 * HTTP response in its body. A process of its own, as on the platform, so that the Worker's CPU is its own.
 */
const files = new Map<string, { headers: [name: string, text: string][]; body: Buffer }>();

const HEAD_END = "\r\n\r\n";

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parse(message: Buffer) {
  const headEnd = message.indexOf(HEAD_END);
  const [, ...lines] = message.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...text] = line.split(":");
    return [name, text.join(":").trim()];
  });
  return { headers, body: message.subarray(headEnd + HEAD_END.length) };
}

const server = createServer(async (request, response) => {
  const address = `${request.headers.host}${request.url}`;
  if (request.method === "PUT") {
    files.set(address, parse(await bodyOf(request)));
    return response.writeHead(204).end();
  }
  const found = files.get(address);
  if (!found) return response.writeHead(504, { "CF-Cache-Status": "MISS" }).end();
  response.setHeader("CF-Cache-Status", "HIT");
  for (const [name, text] of found.headers) response.setHeader(name, text);
  return response.end(found.body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port } satisfies CacheReady));
});
