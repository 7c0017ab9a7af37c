import type { R2Bucket } from "@cloudflare/workers-types";
import { type Bucket, type ObjectStore, ObjectStoreUnavailable } from "./port.ts";

/** Object storage by the R2 bindings: no signing, no sub-request to a public host. */
export function r2ObjectStore(buckets: Record<Bucket, R2Bucket>): ObjectStore {
  return {
    async get(bucket, key, range) {
      const asked = range && {
        offset: range.start,
        ...(range.end !== undefined && { length: range.end - range.start + 1 }),
      };
      const found = await buckets[bucket].get(key, asked && { range: asked }).catch(unavailable("get"));
      if (!found) return undefined;
      const contentType = found.httpMetadata?.contentType ?? "application/octet-stream";
      return { size: found.size, contentType, body: found.body as unknown as ReadableStream<Uint8Array> };
    },
    async head(bucket, key) {
      const found = await buckets[bucket].head(key).catch(unavailable("head"));
      return found ? { size: found.size } : undefined;
    },
    async put(bucket, key, { size, contentType, stream }) {
      const body = stream.pipeThrough(new FixedLengthStream(size));
      await buckets[bucket]
        .put(key, body as never, { httpMetadata: { contentType } })
        .catch(unavailable("put"));
    },
    async deletePrefix(bucket, prefix) {
      const { objects, truncated } = await buckets[bucket]
        .list({ prefix, limit: 1000 })
        .catch(unavailable("list"));
      if (objects.length)
        await buckets[bucket].delete(objects.map(({ key }) => key)).catch(unavailable("delete"));
      return !truncated;
    },
  };
}

const unavailable = (operation: string) => (error: unknown) => {
  throw new ObjectStoreUnavailable(operation, { cause: error });
};
