import { make as makeSearch } from "multipasta/Search";
import { badRequest } from "../errors.ts";

/** Bytes a read. Smaller ones cost more trips between the runtime and us than the work on them. */
const READ_BYTES = 1024 * 1024;

/** Bytes. What may stand behind the closing delimiter, where nobody reads it. */
const MAX_EPILOGUE_BYTES = 64 * 1024;

/** What any delimiter begins with. */
const BEGINNING = Buffer.from("\r\n--");

/** Whether some of a delimiter may stand there: twice as fast as looking for the whole of one. */
function mayDelimit(bytes: Uint8Array): boolean {
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return read.includes(BEGINNING) || read.includes("\r", -BEGINNING.byteLength);
}

/** Memory that a read may fill. What the search held back and joined stands in other. */
export const isReadMemory = (buffer: ArrayBufferLike): buffer is ArrayBuffer =>
  buffer instanceof ArrayBuffer && buffer.byteLength === READ_BYTES;

/** A piece of what stands between two delimiters; part 0 is what comes before the first. */
interface Segment {
  part: number;
  bytes: Uint8Array;
}

/** Its last option is missing from the types. */
const readAtLeast = (reader: ReadableStreamBYOBReader, min: number, into: Uint8Array<ArrayBuffer>) =>
  (reader.read as (...of: unknown[]) => ReturnType<typeof reader.read<typeof into>>).call(reader, into, {
    min,
  });

/** A multipart body cut at its delimiters. Reads on only when asked, and into the same memory, unless that is kept. */
export class Segments {
  readonly #reader: ReadableStreamBYOBReader;
  readonly #search: ReturnType<typeof makeSearch>;
  readonly #delimiterBytes: number;
  #found: Segment[] = [];
  /** Where the next read goes; to be made where there is none. */
  #memory: ArrayBuffer | undefined;
  #searchedBytes = 0;
  #foundBytes = 0;
  #lastPart = 0;

  constructor(body: ReadableStream<Uint8Array>, boundary: string) {
    const delimiter = `\r\n--${boundary}`;
    this.#delimiterBytes = delimiter.length;
    this.#reader = body.getReader({ mode: "byob" });
    this.#search = makeSearch(delimiter, (part, bytes) => this.#find(part, bytes));
    // The first delimiter may stand at the very start, where no line ends before it.
    this.#searchIn(new TextEncoder().encode("\r\n"));
  }

  /**
   * The next bytes of part `number`, which hold until more are asked for; `undefined` at the delimiter that ends it. `whole`:
   * waits until a read is full.
   */
  async bytesOf(number: number, { whole = false } = {}): Promise<Uint8Array | undefined> {
    for (;;) {
      const first = this.#found[0];
      if (first?.part === number) return this.#found.shift()?.bytes;
      if (first) return undefined;
      if (!(await this.#read(whole ? READ_BYTES : 1)))
        badRequest("The multipart body ends before its closing delimiter");
    }
  }

  /** What was read last stays as it is; the next read goes into other memory. */
  keep(spare?: ArrayBuffer): void {
    this.#memory = spare;
  }

  /** Bytes of part `number` that were asked for too early. */
  putBack(number: number, bytes: Uint8Array): void {
    if (bytes.byteLength) this.#found.unshift({ part: number, bytes });
  }

  /** Behind the closing delimiter: a body read to its end leaves the connection fit for the next request. */
  async finish(): Promise<void> {
    let epilogueBytes = 0;
    do {
      for (const { bytes } of this.#found.splice(0)) epilogueBytes += bytes.byteLength;
      if (epilogueBytes > MAX_EPILOGUE_BYTES) badRequest("The multipart body goes on behind its end");
    } while (await this.#read(1));
  }

  /** Whoever answers before the end leaves the rest to be read by others. */
  release(): void {
    this.#reader.releaseLock();
  }

  async #read(min: number): Promise<boolean> {
    const into = new Uint8Array(this.#memory ?? new ArrayBuffer(READ_BYTES));
    const { value } = await readAtLeast(this.#reader, min, into).catch(() =>
      badRequest("The body broke off"),
    );
    if (!value?.byteLength) return false;
    this.#searchIn(value);
    // That memory is not to be written again.
    this.#memory = this.#keptBytes ? undefined : value.buffer;
    return true;
  }

  /** What may be the start of a delimiter is kept by the search. */
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
