import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError, createClient } from "../../functions/client/index.ts";
import type { Fetch } from "../../functions/client/send.ts";
import { uploadTrack } from "../../functions/client/upload.ts";
import { verifyWebhook, WebhookError } from "../../functions/client/webhooks.ts";

const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

const clientOf = (fetch: Fetch) =>
  createClient({ apiUrl: "https://api.sound.test", token: "t", fetch, retries: { attempts: 1 } });

const headersOf = (init: RequestInit) => new Headers(init.headers);

test("an id that would lead to another resource is sent nowhere", async () => {
  const sent: string[] = [];
  const client = clientOf(async (url) => {
    sent.push(url);
    return json({});
  });
  const path = { id: ".." as unknown as number, trackId: 5 };
  await expect(client.delete("/playlists/{id}/tracks/{trackId}", { path })).rejects.toThrow(
    "path.id must not be ..",
  );
  expect(sent).toEqual([]);
  const named = { id: "..5" as unknown as number, trackId: 5 };
  await client.delete("/playlists/{id}/tracks/{trackId}", { path: named });
  expect(sent).toEqual(["https://api.sound.test/playlists/..5/tracks/5"]);
});

test("a header of the caller's replaces the client's own, in any case of letters", async () => {
  const sent: Headers[] = [];
  const client = clientOf(async (_, init) => {
    sent.push(headersOf(init));
    return json({});
  });
  const headers = { accept: "application/xml", "idempotency-key": "mine" };
  await client.post("/likes/tracks/{id}", { path: { id: 1 }, headers });
  expect([sent[0]?.get("Accept"), sent[0]?.get("Idempotency-Key")]).toEqual(["application/xml", "mine"]);
});

test.each([
  [null, 502, { name: "ServiceError", status: 502 }],
  [{ error: "Rate Limit Exceeded" }, 429, { name: "RateLimitError", retryAfterMs: 90_000 }],
  [["busy"], 503, { name: "ServiceError", status: 503 }],
])("a proxy's reply, %j, is an error of its status", async (body, status, error) => {
  const refused = await clientOf(async () => json(body, { "Retry-After": "90" }, status))
    .get("/me")
    .catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject(error);
});

test("an upload that is stopped after its last part makes no track", async () => {
  const stop = new AbortController();
  const made: string[] = [];
  const client = clientOf(async (url, { signal, method, body }) => {
    signal?.throwIfAborted();
    if (method === "GET") return json({ collection: [] });
    if (url.endsWith("/uploads")) return json({ id: 1, part_size: 9, part_count: 1, parts: [] }, {}, 201);
    if (url.endsWith("/parts")) return json({ urls: { 1: "https://storage.sound.test/1" } });
    if (method === "PUT") return new Response(null, { headers: { ETag: '"1"' } });
    if (url.endsWith("/complete")) stop.abort(new Error("stopped"));
    else made.push(String(body));
    return json({ id: 1, status: "ready" });
  });
  const upload = uploadTrack(client, new Blob(["audio"]), { title: "A" }, { signal: stop.signal });
  await expect(upload).rejects.toThrow("stopped");
  expect(made).toEqual([]);
});

test("an upload in a browser that is stopped when a part has arrived sends no other part", async () => {
  let sent = 0;
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends EventTarget {
      upload = new EventTarget();
      status = 200;
      open() {}
      getResponseHeader = () => '"etag"';
      send() {
        sent++;
        queueMicrotask(() => {
          for (const name of ["load", "loadend"]) this.dispatchEvent(new Event(name));
        });
      }
    },
  );
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  const { sendParts } = await import("../../functions/client/upload-parts.ts");
  const urls = Object.fromEntries(
    [1, 2, 3, 4].map((number) => [number, `https://storage.sound.test/${number}`]),
  );
  const session = { id: 1, part_size: 1, part_count: 4, parts: [] } as never;
  const stop = new AbortController();
  const sending = sendParts({
    client: clientOf(async () => json({ urls })),
    file: new Blob(["four"]),
    session,
    parallel: 1,
    signal: stop.signal,
    onBytes: () => stop.abort(new Error("stopped")),
  });
  await expect(sending).rejects.toThrow("stopped");
  expect(sent).toBe(1);
});

test.each(["v1,abcde", "v1,A", "v1,", "v1,====", "v2,AAAA", "garbage"])(
  "a signature of no digest, %j, is refused like a forged one",
  async (signature) => {
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": signature,
    };
    const secret = `whsec_${btoa("a secret of thirty-two characters")}`;
    await expect(verifyWebhook({ headers, body: "{}" }, secret)).rejects.toThrow(WebhookError);
  },
);
