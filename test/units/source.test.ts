import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openSource, type Source } from "../../workers/transcoder/source.ts";

const FILE = Buffer.from("a private track");

const gateway = createServer(({ headers }, response) => {
  const [, from = 0, to = 0] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.map(Number) ?? [];
  const wanted = FILE.subarray(from, to + 1);
  response.writeHead(206, { "Content-Length": wanted.length });
  // In two pieces, as a connection may bring it.
  response.write(wanted.subarray(0, 6), () => setTimeout(() => response.end(wanted.subarray(6)), 20));
});

let source: Source;
const failures: unknown[] = [];

beforeAll(async () => {
  await once(gateway.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  gateway.close();
  gateway.closeAllConnections();
});
beforeEach(async () => {
  const { port } = gateway.address() as AddressInfo;
  const { signal } = new AbortController();
  const file = { url: `http://127.0.0.1:${port}/`, sizeBytes: FILE.length, ticket: "t", signal };
  source = await openSource(file, { fail: (error) => failures.push(error), moved: () => {} });
});
afterEach(() => source.close());

const textAt = async (url: string, headers = {}) => {
  const reply = await fetch(url, { headers });
  return [reply.status, await reply.text()];
};

test("other programs of the machine cannot read the source that ffmpeg reads", async () => {
  expect(await textAt(source.url)).toEqual([206, String(FILE)]);
  const { origin, port, pathname } = new URL(source.url);
  for (const path of ["/", "/source", pathname.slice(0, -1), pathname.toUpperCase()])
    expect(await textAt(origin + path)).toEqual([404, ""]);
  // Another address of this machine, as the network sees it.
  await expect(fetch(`http://127.0.0.2:${port}${pathname}`)).rejects.toThrow();
  source.close();
  await expect(fetch(source.url)).rejects.toThrow();
  expect(failures).toEqual([]);
});

test("a corrected header is served whole, also where a piece of the file ends within it", async () => {
  source.show({ from: 0, to: source.sizeBytes }, [{ at: 4, bytes: Buffer.from("IVAT") }]);
  expect(await textAt(source.url)).toEqual([206, "a prIVATe track"]);
  expect(await textAt(source.url, { Range: "bytes=5-" })).toEqual([206, "VATe track"]);
  expect(await textAt(source.url, { Range: "bytes=8-9" })).toEqual([206, "e "]);
  expect(String(await source.readAt(0, FILE.length))).toBe(String(FILE));
});

test("what ffmpeg is shown begins at 0 and ends as the file", async () => {
  source.show({ from: 2, to: 9 }, []);
  expect(await textAt(source.url)).toEqual([206, "private"]);
  expect(await textAt(source.url, { Range: "bytes=3-100" })).toEqual([206, "vate"]);
  expect((await textAt(source.url, { Range: "bytes=8-" }))[0]).toBe(416);
});
