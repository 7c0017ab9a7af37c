import type { Context } from "hono";
import type { ObjectStore } from "../../../../db/objects/port.ts";
import type { AppEnv } from "../env.ts";
import { notFound } from "../errors.ts";
import { ChunkCollector, chunkAt } from "./chunks.ts";
import { cacheFile, findCached } from "./edge-cache.ts";
import type { ExactRange } from "./range.ts";
import { excerpt, type MediaFile } from "./stored-file.ts";

interface Parts extends Omit<MediaFile, "read"> {
  partKey: (n: number) => string;
  partBytes: number;
  /** Seconds in the data centre's cache. */
  cachedForS: number;
  /** Rejects if sending must stop. */
  mayGoOn: () => Promise<unknown>;
}

export interface PartedFile extends MediaFile {
  /** `head` is sent before the range. */
  read(range: ExactRange, head?: Uint8Array): Promise<ReadableStream<Uint8Array>>;
}

/** Milliseconds between two access checks. A listener may read for an hour. */
const ASKED_AGAIN_MS = 25_000;

/** The bytes of one read, up to the byte `end`. */
interface Piece {
  body: ReadableStream<Uint8Array>;
  end: number;
}

/** A long file in parts of equal size, except for the last. Chunks come from the data centre's cache or fill it. */
export function partedFile(
  c: Context<AppEnv>,
  objects: ObjectStore,
  { partKey, partBytes, cachedForS, mayGoOn, ...served }: Parts,
): PartedFile {
  const chunkOf = (at: number) => {
    const chunk = chunkAt(at, served.size, partBytes);
    const { start, end } = chunk.within;
    return { ...chunk, name: `${partKey(chunk.part)}/${start}-${end}` };
  };

  async function fromCache(at: number, end: number): Promise<Piece | undefined> {
    const chunk = chunkOf(at);
    const cached = await findCached(c, chunk.name);
    if (!cached?.reply.body || cached.size !== chunk.end - chunk.start + 1) return undefined;
    const last = Math.min(end, chunk.end);
    if (at === chunk.start && last === chunk.end) return { body: cached.reply.body, end: last };
    const bytes = new Uint8Array(await cached.reply.arrayBuffer());
    const wanted = excerpt(bytes, { start: at - chunk.start, end: last - chunk.start });
    return { body: new Blob([wanted]).stream(), end: last };
  }

  /** Reads up to the end of the part. */
  async function fromStorage(at: number, end: number): Promise<Piece> {
    const part = Math.floor(at / partBytes);
    const offset = part * partBytes;
    const last = Math.min(end, offset + partBytes - 1);
    const found = await objects.get("media", partKey(part), { start: at - offset, end: last - offset });
    const { body } = found ?? notFound("Media");
    const collector = new ChunkCollector({ start: at, end: last }, chunkOf, ({ start }, bytes) =>
      cacheFile(c, chunkOf(start).name, bytes, cachedForS),
    );
    const collect = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, passing) {
        collector.take(bytes);
        passing.enqueue(bytes);
      },
    });
    return { body: body.pipeThrough(collect), end: last };
  }

  const open = async (at: number, end: number) => (await fromCache(at, end)) ?? fromStorage(at, end);

  return {
    ...served,
    async read({ start, end }, head) {
      const { readable, writable } = new FixedLengthStream((head?.length ?? 0) + end - start + 1);
      // Read before the status is sent: a lost file is 404, not a body that breaks off.
      const opening = await open(start, end);
      const pump = async () => {
        const ended = new AbortController();
        const asking = setInterval(() => mayGoOn().catch((error) => ended.abort(error)), ASKED_AGAIN_MS);
        const send = (body: ReadableStream<Uint8Array>) =>
          body.pipeTo(writable, { preventClose: true, signal: ended.signal });
        try {
          if (head) await send(new Blob([head]).stream());
          for (let piece = opening; ; piece = await open(piece.end + 1, end)) {
            await send(piece.body);
            if (piece.end === end) break;
          }
        } finally {
          clearInterval(asking);
        }
        await writable.close();
      };
      // A listener who leaves cancels the readable side, and nobody is left to inform.
      pump().catch((error: unknown) => writable.abort(error).catch(() => {}));
      return readable;
    },
  };
}
