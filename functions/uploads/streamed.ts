import type { Storage } from "../../db/objects/open.ts";
import { ObjectStoreUnavailable } from "../../db/objects/port.ts";
import { isReadMemory } from "../http/body/multipart-segments.ts";
import { tooLarge } from "../http/errors.ts";

/**
 * Bytes. One part is filled while the one before is sent, so an upload holds two. Each costs a request: of 4 GiB they are
 * 256, a quarter of what a Worker may make.
 */
const PART_BYTES = 16 * 2 ** 20;

interface Sent {
  number: number;
  etag: string;
}

/** A piece may share it with the next: where one part ends and the other begins. */
const memoryOf = (pieces: Uint8Array[]): Set<ArrayBuffer> =>
  new Set(pieces.map(({ buffer }) => buffer).filter(isReadMemory));

/** An object of unknown length, as it comes in. Storage wants lengths, so it is sent in parts that are held whole. */
export class StreamedObject {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #type: string;
  readonly #maxBytes: number;
  /** A part is not joined to be sent: its pieces stand where they were read. */
  #filling: Uint8Array[] = [];
  #filled = 0;
  #leaving: Uint8Array[] = [];
  #uploadId: string | undefined;
  #sending: Promise<Sent> | undefined;
  readonly #sent: Sent[] = [];
  #spare: ArrayBuffer[] = [];
  size = 0;

  constructor(storage: Storage, key: string, type: string, maxBytes: number) {
    this.#storage = storage;
    this.#key = key;
    this.#type = type;
    this.#maxBytes = maxBytes;
  }

  /** The chunk is kept, its memory with it, and other is given for that once there is some. */
  async write(chunk: Uint8Array): Promise<ArrayBuffer | undefined> {
    this.size += chunk.byteLength;
    if (this.size > this.#maxBytes) tooLarge(`A file may have ${this.#maxBytes} bytes at most`);
    for (let rest = chunk; rest.byteLength; ) {
      if (this.#filled === PART_BYTES) await this.#sendPart();
      const fitting = rest.subarray(0, PART_BYTES - this.#filled);
      this.#filling.push(fitting);
      this.#filled += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
    return this.#spare.pop();
  }

  /** The object stands. */
  async finish(): Promise<void> {
    if (this.#uploadId === undefined) await this.#putWhole();
    else {
      await this.#sendPart();
      await this.#settle();
      await this.#complete(this.#uploadId);
    }
    this.#release();
  }

  /** Nothing of it is left. */
  async abandon(): Promise<void> {
    await this.#sending?.catch(() => {});
    this.#release();
    if (this.#uploadId !== undefined) await this.#storage.multipart.abort(this.#key, this.#uploadId);
    await this.#storage.objects.deletePrefix("uploads", this.#key);
  }

  async #putWhole(): Promise<void> {
    const stream = new Blob(this.#filling).stream() as ReadableStream<Uint8Array>;
    const size = this.#filled;
    await this.#storage.objects.put("uploads", this.#key, { size, contentType: this.#type, stream });
  }

  async #sendPart(): Promise<void> {
    const { multipart } = this.#storage;
    this.#uploadId ??= await multipart.create(this.#key, this.#type);
    await this.#settle();
    const number = this.#sent.length + 1;
    const sending = multipart
      .putPart(this.#key, this.#uploadId, number, this.#filling)
      .then((etag) => ({ number, etag }));
    // It is awaited with the next part; failing before that must not end the Worker.
    sending.catch(() => {});
    this.#sending = sending;
    this.#leaving = this.#filling;
    this.#filling = [];
    this.#filled = 0;
  }

  /** Waits for the part under way. Its memory is free again, but where the next part begins in it. */
  async #settle(): Promise<void> {
    if (this.#sending) this.#sent.push(await this.#sending);
    this.#sending = undefined;
    const free = memoryOf(this.#leaving);
    for (const begun of memoryOf(this.#filling)) free.delete(begun);
    this.#spare.push(...free);
    this.#leaving = [];
  }

  /** Not left to the garbage collector, which comes late: the parts of several uploads would add up. */
  #release(): void {
    for (const buffer of [...memoryOf([...this.#leaving, ...this.#filling]), ...this.#spare])
      buffer.transfer(0);
    this.#leaving = [];
    this.#filling = [];
    this.#spare = [];
  }

  async #complete(uploadId: string): Promise<void> {
    const { objects, multipart } = this.#storage;
    const outcome = await multipart.complete(this.#key, uploadId, this.#sent);
    // Also where storage says that it is gone: a first completion whose reply was lost.
    const stored = outcome === "invalid_parts" ? undefined : await objects.head("uploads", this.#key);
    if (stored?.size !== this.size) throw new ObjectStoreUnavailable("complete streamed upload");
  }
}
