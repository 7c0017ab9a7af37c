import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTransient, send } from "../../workers/transcoder/http-client.ts";

/** Accepts requests and never answers. */
const silent = createServer(() => {});

beforeAll(async () => {
  await once(silent.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  silent.close();
  silent.closeAllConnections();
});

const ask = (limits: { signal?: AbortSignal; idleMs?: number }) => {
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  return send(url, { method: "POST", headers: {}, body: Buffer.from("{}"), signal, ...limits });
};

test("a server that accepts a request and falls silent holds nobody up", async () => {
  await expect(ask({ idleMs: 50 })).rejects.toThrow("no byte for 50 ms");
});

test("a job that ends leaves no request open", async () => {
  await expect(ask({ signal: AbortSignal.timeout(50) })).rejects.toThrow("aborted");
});

test("a server that is late, busy or failing is asked again, one that refuses is not", () => {
  expect([408, 429, 500, 502, 503, 507].filter((status) => !isTransient(status))).toEqual([]);
  expect([200, 302, 400, 401, 403, 404, 409, 410, 413, 422].filter(isTransient)).toEqual([]);
});
