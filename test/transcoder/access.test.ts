import { once } from "node:events";
import { request as openRequest } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

const SECRET = "between-worker-and-transcoder";
let transcoder: Transcoder;

beforeAll(async () => {
  transcoder = await startTranscoder({ TRANSCODER_SECRET: SECRET });
});
afterAll(() => transcoder?.stop());

/** `fetch` cannot send a custom Host. */
async function ask(method: string, path: string, headers: Record<string, string>) {
  const request = openRequest(transcoder.url + path, { method, headers });
  request.end(method === "POST" ? "{}" : undefined);
  const [response] = await once(request, "response");
  return { status: response.statusCode, body: await json(response) };
}

const PATHS = [
  ["POST", "/jobs"],
  ["POST", "/images?sizes=100"],
  ["GET", "/healthz"],
] as const;

test.for(PATHS)("401: %s %s without the shared secret starts nothing", async ([method, path]) => {
  for (const Authorization of [
    "",
    "Bearer ",
    "Bearer wrong",
    `Basic ${SECRET}`,
    SECRET,
    `Bearer ${SECRET}x`,
  ]) {
    const headers: Record<string, string> = Authorization ? { Authorization } : {};
    expect(await ask(method, path, headers)).toEqual({ status: 401, body: { error: "unauthorized" } });
  }
});

test.for(PATHS)("421: %s %s by a foreign name is refused even with the secret", async ([method, path]) => {
  const { port } = new URL(transcoder.url);
  for (const Host of [`rebound.example:${port}`, "127.0.0.1", "127.0.0.1:1", `127.0.0.1.example:${port}`]) {
    const answered = await ask(method, path, { Host, Authorization: `Bearer ${SECRET}` });
    expect(answered).toEqual({ status: 421, body: { error: "unknown_host" } });
  }
});

test("200: requests with the secret and the right name are accepted", async () => {
  const { port } = new URL(transcoder.url);
  const Authorization = `Bearer ${SECRET}`;
  for (const Host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
    expect((await ask("POST", "/jobs", { Host, Authorization })).status).toBe(422);
    expect((await ask("GET", "/healthz", { Host, Authorization })).body).toMatchObject({ ok: true, jobs: 0 });
  }
});
