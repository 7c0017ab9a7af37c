import type { ExactRange } from "./range.ts";

/** Bytes cached under one name, half a minute of MP3. Whole parts would fill an isolate. */
const CHUNK_BYTES = 512 * 1024;

/** Chunks that an isolate collects at once: 16 MiB of its 128. Further chunks are not cached. */
const MAX_COLLECTING = 32;

/** Weak references: a listener who leaves aborts the request, and no cleanup runs. */
const collecting = new Set<WeakRef<Uint8Array>>();

function hasRoom(): boolean {
  for (const ref of collecting) if (!ref.deref()) collecting.delete(ref);
  return collecting.size < MAX_COLLECTING;
}

/** Bounds of a chunk in the file, and in its part, which has a name of its own. */
export interface Chunk extends ExactRange {
  part: number;
  /** Bounds within the part. */
  within: ExactRange;
}

/** Returns the chunk that holds the byte `at`. No chunk spans two parts. */
export function chunkAt(at: number, size: number, partBytes: number): Chunk {
  const part = Math.floor(at / partBytes);
  const offset = part * partBytes;
  const start = Math.floor((at - offset) / CHUNK_BYTES) * CHUNK_BYTES;
  const end = Math.min(start + CHUNK_BYTES, partBytes, size - offset) - 1;
  return { start: offset + start, end: offset + end, part, within: { start, end } };
}

/** Copies whole chunks from a stream. */
export class ChunkCollector {
  readonly #chunkAt: (at: number) => Chunk;
  readonly #store: (chunk: Chunk, bytes: Uint8Array) => Promise<unknown>;
  readonly #end: number;
  #at: number;
  #bytes: Uint8Array | undefined;
  #ref: WeakRef<Uint8Array> | undefined;

  /** `start` and `end` bound the stream. `store` gets each chunk that lies within. */
  constructor(
    { start, end }: ExactRange,
    chunkAt: (at: number) => Chunk,
    store: (chunk: Chunk, bytes: Uint8Array) => Promise<unknown>,
  ) {
    this.#at = start;
    this.#end = end;
    this.#chunkAt = chunkAt;
    this.#store = store;
  }

  take(passing: Uint8Array): void {
    for (let left = passing; left.length > 0; ) {
      const chunk = this.#chunkAt(this.#at);
      if (this.#at === chunk.start) this.#begin(chunk);
      const taken = left.subarray(0, chunk.end + 1 - this.#at);
      this.#bytes?.set(taken, this.#at - chunk.start);
      this.#at += taken.length;
      left = left.subarray(taken.length);
      if (this.#at > chunk.end) this.#complete(chunk);
    }
  }

  #begin({ start, end }: Chunk): void {
    if (end > this.#end || !hasRoom()) return;
    this.#bytes = new Uint8Array(end - start + 1);
    this.#ref = new WeakRef(this.#bytes);
    collecting.add(this.#ref);
  }

  #complete(chunk: Chunk): void {
    const [bytes, ref] = [this.#bytes, this.#ref];
    if (!bytes || !ref) return;
    this.#bytes = undefined;
    this.#store(chunk, bytes).finally(() => collecting.delete(ref));
  }
}
