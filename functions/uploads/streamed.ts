import type { Storage } from "../../db/objects/open.ts";
import { ObjectStoreUnavailable } from "../../db/objects/port.ts";
import { tooLarge } from "../http/errors.ts";

/**
 * Bytes. One part is filled while the one before is sent, so an upload holds two, and the runtime its copy of one. Each costs
 * a request: of 4 GiB they are 256, a quarter of what a Worker may make.
 */
const PART_BYTES = 16 * 2 ** 20;

interface Sent {
  number: number;
  etag: string;
}

/** An object of unknown length, as it comes in. Storage wants lengths, so it is sent in parts that are held whole. */
export class StreamedObject {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #type: string;
  readonly #maxBytes: number;
  #filling = new Uint8Array(PART_BYTES);
  #spare: Uint8Array<ArrayBuffer> | undefined;
  #filled = 0;
  #uploadId: string | undefined;
  #sending: Promise<Sent> | undefined;
  readonly #sent: Sent[] = [];
  size = 0;

  constructor(storage: Storage, key: string, type: string, maxBytes: number) {
    this.#storage = storage;
    this.#key = key;
    this.#type = type;
    this.#maxBytes = maxBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.size += chunk.byteLength;
    if (this.size > this.#maxBytes) tooLarge(`A file may have ${this.#maxBytes} bytes at most`);
    for (let rest = chunk; rest.byteLength; ) {
      if (this.#filled === PART_BYTES) await this.#sendPart();
      const fitting = rest.subarray(0, PART_BYTES - this.#filled);
      this.#filling.set(fitting, this.#filled);
      this.#filled += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
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
    const whole = this.#filling.subarray(0, this.#filled);
    const stream = new Blob([whole]).stream() as ReadableStream<Uint8Array>;
    await this.#storage.objects.put("uploads", this.#key, {
      size: whole.byteLength,
      contentType: this.#type,
      stream,
    });
  }

  async #sendPart(): Promise<void> {
    const { multipart } = this.#storage;
    this.#uploadId ??= await multipart.create(this.#key, this.#type);
    const free = await this.#settle();
    const number = this.#sent.length + 1;
    const buffer = this.#filling;
    const sending = multipart
      .putPart(this.#key, this.#uploadId, number, buffer.subarray(0, this.#filled))
      .then((etag) => ({ number, etag }));
    // It is awaited with the next part; failing before that must not end the Worker.
    sending.catch(() => {});
    this.#sending = sending;
    this.#spare = buffer;
    this.#filling = free ?? new Uint8Array(PART_BYTES);
    this.#filled = 0;
  }

  /** Waits for the part under way. Its memory is free again. */
  async #settle(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#sending) this.#sent.push(await this.#sending);
    this.#sending = undefined;
    return this.#spare;
  }

  /** Not left to the garbage collector, which comes late: the parts of several uploads would add up. */
  #release(): void {
    for (const part of [this.#filling, this.#spare]) part?.buffer.transfer(0);
    this.#filling = new Uint8Array(0);
    this.#spare = undefined;
  }

  async #complete(uploadId: string): Promise<void> {
    const { objects, multipart } = this.#storage;
    const outcome = await multipart.complete(this.#key, uploadId, this.#sent);
    // Also where storage says that it is gone: a first completion whose reply was lost.
    const stored = outcome === "invalid_parts" ? undefined : await objects.head("uploads", this.#key);
    if (stored?.size !== this.size) throw new ObjectStoreUnavailable("complete streamed upload");
  }
}
