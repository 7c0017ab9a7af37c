import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtModules, QUIET_WRANGLER } from "../../workers/local/worker/build.ts";
import { CREDENTIALS, type ObjectStore, startObjectStore } from "../local/object-store-process.ts";
import { PROJECT_DIR } from "../support/structure.ts";

const bundle = mkdtempSync(join(tmpdir(), "soundpost-objects-"));
let store: ObjectStore;

/** Bundled like the Worker, with its alias. */
function build() {
  const wrangler = join(
    createRequire(import.meta.url).resolve("wrangler/package.json"),
    "../bin/wrangler.js",
  );
  const flags = ["--dry-run", "--containers-rollout=none", "--env", "", "--outdir", bundle];
  const entry = join(PROJECT_DIR, "test/units/objects-worker.ts");
  const { status, stderr } = spawnSync(process.execPath, [wrangler, "deploy", entry, ...flags], {
    cwd: PROJECT_DIR,
    env: { ...process.env, ...QUIET_WRANGLER },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** R2's adapter answers with the bindings, S3's without them, as deployed and locally. */
const start = (bindings: Record<string, string>, r2Buckets: Record<string, string>) =>
  new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      workers: [
        {
          name: "objects",
          modules: builtModules(bundle).map((module) =>
            module.path.endsWith("objects-worker.js") ? { ...module, type: "ESModule" as const } : module,
          ),
          modulesRoot: bundle,
          compatibilityDate: "2026-10-01",
          compatibilityFlags: ["nodejs_compat"],
          bindings,
          r2Buckets,
        },
      ],
    }),
  );

beforeAll(async () => {
  build();
  store = await startObjectStore(undefined, { S3_BUCKETS: JSON.stringify({ uploads: {}, media: {} }) });
});

afterAll(async () => {
  await store.stop();
  rmSync(bundle, { recursive: true });
});

describe.each(["R2", "S3"])("the adapter of %s", (adapter) => {
  let worker: Miniflare;
  let origin: URL;

  beforeAll(async () => {
    const settings = {
      S3_ENDPOINT: store.url,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      S3_UPLOADS_BUCKET: "uploads",
      S3_MEDIA_BUCKET: "media",
    };
    const closed = { ...settings, S3_ENDPOINT: "http://127.0.0.1:9" };
    worker = adapter === "R2" ? start(closed, { UPLOADS: "uploads", MEDIA: "media" }) : start(settings, {});
    origin = await worker.ready;
  });

  afterAll(() => worker.dispose());

  type Asked = Record<string, string | number>;

  function send(method: string, bucket: string, asked: Asked, body?: Buffer) {
    const url = new URL(bucket, origin);
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, String(value));
    return fetch(url, { method, ...(body && { body: new Uint8Array(body) }) });
  }

  const put = (bucket: string, key: string, body: Buffer, type = "audio/mpeg", size = body.length) =>
    send("PUT", bucket, { key, type, size }, body);

  async function get(bucket: string, key: string, range: Asked = {}) {
    const reply = await send("GET", bucket, { key, ...range });
    const bytes = Buffer.from(await reply.arrayBuffer());
    const size = Number(reply.headers.get("X-Size"));
    return { status: reply.status, bytes, size, type: reply.headers.get("X-Type") };
  }

  const head = async (bucket: string, key: string) => {
    const reply = await send("HEAD", bucket, { key });
    return reply.status === 404 ? undefined : Number(reply.headers.get("X-Size"));
  };

  const list = async (bucket: string, key: string): Promise<string[]> =>
    (await send("PATCH", bucket, { key })).json() as Promise<string[]>;

  const deletePrefix = async (bucket: string, key: string) => (await send("DELETE", bucket, { key })).json();

  test("returns the stored bytes, size and type", async () => {
    const body = randomBytes(300_000);
    expect((await put("uploads", "whole", body, "audio/flac")).status).toBe(200);
    const found = await get("uploads", "whole");
    expect(found.bytes.equals(body)).toBe(true);
    expect(found).toMatchObject({ status: 200, size: 300_000, type: "audio/flac" });
    expect(await head("uploads", "whole")).toBe(300_000);
  });

  test("keeps an existing object when only a new one may be put, and one of many concurrent puts wins", async () => {
    const putNew = async (key: string, body: string) =>
      (
        await send("PUT", "media", { key, type: "audio/mpeg", size: body.length, new: 1 }, Buffer.from(body))
      ).json();
    expect(await putNew("once", "first")).toBe(true);
    expect(await putNew("once", "second")).toBe(false);
    expect(await get("media", "once")).toMatchObject({ size: 5, bytes: Buffer.from("first") });
    const bodies = Array.from({ length: 8 }, (_, n) => `racer ${n}`);
    const won = await Promise.all(bodies.map((body) => putNew("race", body)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(String((await get("media", "race")).bytes)).toBe(bodies[won.indexOf(true)]);
  });

  test("returns undefined for a missing object, by get, range and head", async () => {
    expect((await get("media", "absent")).status).toBe(404);
    expect((await get("media", "absent", { start: 0, end: 1 })).status).toBe(404);
    expect((await get("media", "absent", { relay: 1 })).status).toBe(404);
    expect(await head("media", "absent")).toBeUndefined();
  });

  test("relays the same bytes, size and type", async () => {
    const body = randomBytes(300_000);
    await put("uploads", "relayed", body, "audio/flac");
    expect(await get("uploads", "relayed", { relay: 1 })).toEqual(await get("uploads", "relayed"));
    const part = await get("uploads", "relayed", { relay: 1, start: 100_000, end: 250_000 });
    expect(part.bytes.equals(body.subarray(100_000, 250_001))).toBe(true);
    expect(part).toMatchObject({ status: 200, size: 300_000, type: "audio/flac" });
    expect((await get("uploads", "relayed", { relay: 1, start: 300_000 })).status).toBe(503);
  });

  test.each([
    [{ start: 0, end: 0 }, "a"],
    [{ start: 3, end: 5 }, "def"],
    [{ start: 7 }, "hij"],
    [{ start: 9, end: 9 }, "j"],
    [{ start: 0, end: 9 }, "abcdefghij"],
    [{ start: 8, end: 500 }, "ij"],
  ])("reads the range %j of ten bytes as %j, and reports the size of ten", async (range, part) => {
    await put("media", "ten", Buffer.from("abcdefghij"));
    const found = await get("media", "ten", range);
    expect(found).toMatchObject({ status: 200, size: 10, type: "audio/mpeg" });
    expect(String(found.bytes)).toBe(part);
  });

  test("refuses a range that begins past the end", async () => {
    await put("media", "ten", Buffer.from("abcdefghij"));
    expect(await get("media", "ten", { start: 10, end: 12 })).toMatchObject({ status: 503 });
  });

  test("stores an empty object", async () => {
    expect((await put("media", "empty", Buffer.alloc(0))).status).toBe(200);
    expect(await head("media", "empty")).toBe(0);
    expect(await get("media", "empty")).toMatchObject({ status: 200, size: 0 });
  });

  test("replaces an object, including its type, on a second put", async () => {
    await put("media", "again", Buffer.from("first one"));
    await put("media", "again", Buffer.from("second"), "image/png");
    const found = await get("media", "again");
    expect(String(found.bytes)).toBe("second");
    expect(found).toMatchObject({ size: 6, type: "image/png" });
  });

  test.each([
    ["fewer", 50],
    ["more", 150],
  ])("a body of %s bytes than were declared is not stored", async (_, actual) => {
    const key = `declared-${actual}`;
    expect((await put("media", key, Buffer.alloc(actual), "audio/mpeg", 100)).status).toBe(503);
    expect(await head("media", key)).toBeUndefined();
  });

  test("keeps the two buckets apart", async () => {
    await put("uploads", "same", Buffer.from("upload"));
    expect(await head("media", "same")).toBeUndefined();
    expect(await deletePrefix("media", "same")).toBe(true);
    expect(await head("uploads", "same")).toBe(6);
  });

  test.each(["a b+c", "ü/日本", "100%25", "q?x=1&y#z", "quo'te(*)!", "t/1/x/hls/160/0.m4s"])(
    "takes the key %j literally",
    async (key) => {
      await put("media", key, Buffer.from(key));
      expect(String((await get("media", key)).bytes)).toBe(key);
      expect(await deletePrefix("media", key)).toBe(true);
      expect(await head("media", key)).toBeUndefined();
    },
  );

  test("deletes the objects below a prefix only", async () => {
    for (const key of ["t/1/a/x", "t/1/a/y/z", "t/1/ab", "t/10/a/x", "t/1"])
      await put("media", key, Buffer.from("x"));
    expect(await deletePrefix("media", "t/1/a/")).toBe(true);
    expect(await Promise.all(["t/1/a/x", "t/1/a/y/z"].map((key) => head("media", key)))).toEqual([
      undefined,
      undefined,
    ]);
    expect(await Promise.all(["t/1/ab", "t/10/a/x", "t/1"].map((key) => head("media", key)))).toEqual([
      1, 1, 1,
    ]);
  });

  test("is ready", async () => {
    expect((await send("OPTIONS", "media", {})).status).toBe(200);
  });

  test("deletes nothing without delay", async () => {
    expect(await deletePrefix("media", "never/was/")).toBe(true);
  });

  test("measures all, but deletes at most a thousand at a time and reports whether more are left", async () => {
    expect((await send("POST", "media", { key: "many/", count: 1003 })).status).toBe(200);
    expect(await list("media", "many/")).toHaveLength(1_000);
    expect(await (await send("PATCH", "media", { key: "many/", measure: "" })).json()).toBe(1003);
    expect(await deletePrefix("media", "many/")).toBe(false);
    expect((await list("media", "many/")).sort()).toEqual(["many/997", "many/998", "many/999"]);
    expect(await deletePrefix("media", "many/")).toBe(true);
    expect(await head("media", "many/1002")).toBeUndefined();
    expect(await list("media", "many/")).toEqual([]);
  });

  test("transfers a large object without losing a byte", async () => {
    const body = randomBytes(12 * 2 ** 20);
    await put("uploads", "large", body);
    expect((await get("uploads", "large")).bytes.equals(body)).toBe(true);
    const tail = await get("uploads", "large", { start: body.length - 1000 });
    expect(tail.bytes.equals(body.subarray(-1000))).toBe(true);
  });
});
