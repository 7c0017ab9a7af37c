import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LeaseLost } from "../../workers/transcoder/failures.ts";
import { readRange } from "../../workers/transcoder/source-reader.ts";

/** Longer than one request asks for. */
const file = Buffer.alloc(34 * 2 ** 20, "0123456789abcde");

let status = 206;
let breaksAfter = Number.POSITIVE_INFINITY;
let replies = 0;

const server = createServer(({ headers }, response) => {
  replies++;
  const [, from = 0, to = 0] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.map(Number) ?? [];
  if (status !== 206) response.writeHead(status).end();
  else {
    const wanted = file.subarray(from, to + 1);
    response.writeHead(206, { "Content-Length": wanted.length });
    response.write(wanted.subarray(0, breaksAfter), () =>
      wanted.length > breaksAfter ? response.destroy() : response.end(),
    );
  }
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function read(): Promise<Buffer> {
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const source = { url: `http://127.0.0.1:${port}/`, sizeBytes: file.length, ticket: "t", signal };
  const chunks: Buffer[] = [];
  for await (const chunk of readRange(source, 0, file.length)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("a file longer than a request arrives whole", async () => {
  expect((await read()).equals(file)).toBe(true);
  expect(replies).toBe(2);
});

test("it arrives whole over a line that breaks again and again but always brings some of it", async () => {
  [breaksAfter, replies] = [3 * 2 ** 20, 0];
  expect((await read()).equals(file)).toBe(true);
  expect(replies).toBeGreaterThan(10);
});

test.for([409, 410])("%i means that the lease is lost, and nothing is asked again", async (refusal) => {
  [status, replies] = [refusal, 0];
  await expect(read()).rejects.toBeInstanceOf(LeaseLost);
  expect(replies).toBe(1);
});
