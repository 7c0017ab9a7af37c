import type { R2Bucket } from "@cloudflare/workers-types";
import { sumOfPages } from "./pages.ts";
import type { Bucket, ByteRange, ObjectStore } from "./port.ts";
import { bodyFor, failingOnStall, StallTimer } from "./stall-timer.ts";

/** Object storage through R2 bindings: no signing, no request to a public host. */
export function r2ObjectStore(buckets: Record<Bucket, R2Bucket>): ObjectStore {
  async function listed(bucket: Bucket, prefix: string, after?: string) {
    const page = await new StallTimer("list").last(
      buckets[bucket].list({ prefix, limit: 1000, ...(after && { cursor: after }) }),
    );
    const bytes = page.objects.reduce((sum, { size }) => sum + size, 0);
    return {
      keys: page.objects.map(({ key }) => key),
      bytes,
      next: page.truncated ? page.cursor : undefined,
    };
  }
  async function open(bucket: Bucket, key: string, range: ByteRange | undefined, timer: StallTimer) {
    const asked = range && {
      offset: range.start,
      ...(range.end !== undefined && { length: range.end - range.start + 1 }),
    };
    const found = await timer.last(buckets[bucket].get(key, asked && { range: asked }));
    if (!found) return undefined;
    const contentType = found.httpMetadata?.contentType ?? "application/octet-stream";
    return { size: found.size, contentType, body: found.body as unknown as ReadableStream<Uint8Array> };
  }
  return {
    async get(bucket, key, range) {
      const timer = new StallTimer("get");
      const found = await open(bucket, key, range, timer);
      if (!found) return undefined;
      const end = Math.min(range?.end ?? found.size - 1, found.size - 1);
      const sent = end - (range?.start ?? 0) + 1;
      return { ...found, body: failingOnStall(found.body, sent, timer) };
    },
    relay: (bucket, key, range) => open(bucket, key, range, new StallTimer("relay")),
    async head(bucket, key) {
      const found = await new StallTimer("head").last(buckets[bucket].head(key));
      return found ? { size: found.size } : undefined;
    },
    async put(bucket, key, { size, contentType, stream }) {
      const timer = new StallTimer("put");
      const body = bodyFor(stream, size, timer);
      await timer.last(buckets[bucket].put(key, body as never, { httpMetadata: { contentType } }));
    },
    /** Any answer will do, even that the object is missing. R2 never runs out of room. */
    async ready() {
      await new StallTimer("ready").last(buckets.media.head("readyz"));
    },
    async putNew(bucket, key, { size, contentType, stream }) {
      const timer = new StallTimer("put");
      const body = bodyFor(stream, size, timer);
      const onlyIf = new Headers({ "If-None-Match": "*" }) as never;
      const stored: unknown = await timer.last(
        buckets[bucket].put(key, body as never, { httpMetadata: { contentType }, onlyIf }),
      );
      return stored !== null;
    },
    list: async (bucket, prefix) => (await listed(bucket, prefix)).keys,
    measure: (bucket, prefix) => sumOfPages((after) => listed(bucket, prefix, after)),
    async deletePrefix(bucket, prefix) {
      const { keys, next } = await listed(bucket, prefix);
      if (keys.length) await new StallTimer("delete").last(buckets[bucket].delete(keys));
      return next === undefined;
    },
  };
}
