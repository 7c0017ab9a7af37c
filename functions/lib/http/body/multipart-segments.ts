import { make as makeSearch } from "multipasta/Search";
import { malformed } from "../errors.ts";

/** Bytes per read of a file. Smaller reads cost more in crossings into the runtime than in work. */
export const READ_BYTES = 1024 * 1024;

/** Bytes per read of fields. Small, because a client may stall before it is identified. */
const FIELDS_READ_BYTES = 64 * 1024;

/** Bytes allowed after the closing delimiter. They are discarded. */
const MAX_EPILOGUE_BYTES = 64 * 1024;

/** The start of every delimiter. */
const BEGINNING = Buffer.from("\r\n--");

/** Whether a delimiter may be in `bytes`. This search is twice as fast as one for the whole delimiter. */
function mayDelimit(bytes: Uint8Array): boolean {
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return read.includes(BEGINNING) || read.includes("\r", -BEGINNING.byteLength);
}

/** Whether this is a read buffer. The search copies joined bytes into others. */
export const isReadMemory = (buffer: ArrayBufferLike): buffer is ArrayBuffer =>
  buffer instanceof ArrayBuffer && buffer.byteLength === READ_BYTES;

/** A piece between two delimiters. Part 0 precedes the first one. */
interface Segment {
  part: number;
  bytes: Uint8Array;
}

/** The types lack its last option. */
const readAtLeast = (reader: ReadableStreamBYOBReader, min: number, into: Uint8Array<ArrayBuffer>) =>
  (reader.read as (...of: unknown[]) => ReturnType<typeof reader.read<typeof into>>).call(reader, into, {
    min,
  });

/**
 * Cuts a multipart body at its delimiters. Reads on demand, and reuses its memory unless `keep` is called.
 */
export class Segments {
  readonly #reader: ReadableStreamBYOBReader;
  readonly #search: ReturnType<typeof makeSearch>;
  readonly #delimiterBytes: number;
  #found: Segment[] = [];
  /** Memory for the next read; allocated if `undefined`. */
  #memory: ArrayBuffer | undefined;
  #searchedBytes = 0;
  #foundBytes = 0;
  #lastPart = 0;

  constructor(body: ReadableStream<Uint8Array>, boundary: string) {
    const delimiter = `\r\n--${boundary}`;
    this.#delimiterBytes = delimiter.length;
    this.#reader = body.getReader({ mode: "byob" });
    this.#search = makeSearch(delimiter, (part, bytes) => this.#find(part, bytes));
    // The first delimiter may stand at the very start, without a line end before it.
    this.#searchIn(new TextEncoder().encode("\r\n"));
  }

  /**
   * Returns the next bytes of part `number`, valid until the next call, or `undefined` at its end. `whole`
   * waits for a full read.
   */
  async bytesOf(number: number, { whole = false } = {}): Promise<Uint8Array | undefined> {
    for (;;) {
      const first = this.#found[0];
      if (first?.part === number) return this.#found.shift()?.bytes;
      if (first) return undefined;
      if (!(await this.#read(whole))) malformed("The multipart body ends before its closing delimiter");
    }
  }

  /** Preserves the bytes of the last read: the next read uses `spare` or new memory. */
  keep(spare?: ArrayBuffer): void {
    this.#memory = spare;
  }

  /** Returns bytes of part `number` to the queue. */
  putBack(number: number, bytes: Uint8Array): void {
    if (bytes.byteLength) this.#found.unshift({ part: number, bytes });
  }

  /** Reads to the end of the body, so that the connection is fit for the next request. */
  async finish(): Promise<void> {
    let epilogueBytes = 0;
    do {
      for (const { bytes } of this.#found.splice(0)) epilogueBytes += bytes.byteLength;
      if (epilogueBytes > MAX_EPILOGUE_BYTES)
        malformed("The multipart body continues after its closing delimiter");
    } while (await this.#read(false));
  }

  /** Releases the body, so that its rest can be read after an early reply. */
  release(): void {
    this.#reader.releaseLock();
  }

  async #read(whole: boolean): Promise<boolean> {
    const bytes = whole ? READ_BYTES : FIELDS_READ_BYTES;
    const { byteLength = 0 } = this.#memory ?? {};
    if (byteLength < bytes) this.#memory = undefined;
    const into = new Uint8Array(this.#memory ?? new ArrayBuffer(bytes));
    const { value } = await readAtLeast(this.#reader, whole ? READ_BYTES : 1, into).catch(() =>
      malformed("The body ended early"),
    );
    if (!value?.byteLength) return this.#end();
    this.#searchIn(value);
    // The search still refers to this memory, so it must not be overwritten.
    this.#memory = this.#keptBytes ? undefined : value.buffer;
    return true;
  }

  /**
   * Flushes the bytes that the search buffered because a delimiter could begin there. Returns false if there are none.
   */
  #end(): boolean {
    this.#memory = undefined;
    const found = this.#found.length;
    this.#search.end();
    return this.#found.length > found;
  }

  /** Bytes that the search buffers because they may begin a delimiter. */
  get #keptBytes(): number {
    return this.#searchedBytes - this.#foundBytes - this.#lastPart * this.#delimiterBytes;
  }

  #searchIn(bytes: Uint8Array): void {
    const goesOn = !this.#keptBytes && !mayDelimit(bytes);
    this.#searchedBytes += bytes.byteLength;
    if (goesOn) this.#find(this.#lastPart, bytes);
    else this.#search.write(bytes);
  }

  #find(part: number, bytes: Uint8Array): void {
    this.#found.push({ part, bytes });
    this.#foundBytes += bytes.byteLength;
    this.#lastPart = part;
  }
}
