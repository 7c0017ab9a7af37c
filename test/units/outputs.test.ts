import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LeaseLost } from "../../workers/transcoder/failures.ts";
import { createOutputs } from "../../workers/transcoder/outputs.ts";

let status = 201;
let asked = 0;
const storage = createServer((request, response) => {
  asked++;
  request.resume().once("end", () => response.writeHead(status).end());
});

beforeAll(async () => {
  await once(storage.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  storage.close();
  storage.closeAllConnections();
});

/** Stores a file and returns the error, if any. */
async function store(answer: number): Promise<unknown> {
  [status, asked] = [answer, 0];
  const outputsUrl = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const put = createOutputs({ outputsUrl, ticket: "t" }, signal, () => {});
  return put("mp3/0.mp3", "audio/mpeg", Buffer.from("x")).catch((error: unknown) => error);
}

test.for([409, 410])(
  "%i from storage means that the lease is lost, and nothing is sent again",
  async (answer) => {
    expect(await store(answer)).toBeInstanceOf(LeaseLost);
    expect(asked).toBe(1);
  },
);

test("413: a file that encodes to more than its length allows fails for good", async () => {
  expect(await store(413)).toMatchObject({ reason: "oversized", retryable: false });
  expect(asked).toBe(1);
});
