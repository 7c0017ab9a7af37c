import type { Storage } from "../../../db/objects/open.ts";
import { ObjectStoreUnavailable } from "../../../db/objects/port.ts";
import { isReadMemory } from "../../lib/http/body/multipart-segments.ts";
import { tooLarge } from "../../lib/http/errors.ts";
import { sizeInWords } from "../../lib/text/size.ts";
import type { SentPart } from "./complete.ts";

/**
 * Bytes. One part fills while the previous one is sent, so an upload buffers two. A file of 4 GiB takes 256 requests, a
 * quarter of a Worker's limit.
 */
const PART_BYTES = 16 * 2 ** 20;

/** A part's end and the next part's start may share memory. */
const memoryOf = (pieces: Uint8Array[]): Set<ArrayBuffer> =>
  new Set(pieces.map(({ buffer }) => buffer).filter(isReadMemory));

/** The most bytes buffered while an object of `size` bytes is sent. */
export const mostHeld = (size = Number.POSITIVE_INFINITY, partBytes = PART_BYTES): number =>
  Math.min(size, 2 * partBytes);

interface OpenedUpload {
  uploadId: string;
  /** May differ from our part size. */
  partBytes: number;
}

/** Stores an object of unknown length. Storage needs lengths, so parts are buffered. */
export class StreamedObject {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #type: string;
  readonly #maxBytes: number;
  readonly #partBytes: number;
  /** Pieces stay where they were read; a part is sent without copying them together. */
  #filling: Uint8Array[] = [];
  #filled = 0;
  #leaving: Uint8Array[] = [];
  #uploadId: string | undefined;
  #sending: Promise<SentPart> | undefined;
  readonly #sent: SentPart[] = [];
  #spare: ArrayBuffer[] = [];
  size = 0;

  /** `opened` is a multipart upload already open in storage. Otherwise the first full part opens one. */
  constructor(storage: Storage, key: string, type: string, maxBytes: number, opened?: OpenedUpload) {
    this.#uploadId = opened?.uploadId;
    this.#partBytes = opened?.partBytes ?? PART_BYTES;
    this.#storage = storage;
    this.#key = key;
    this.#type = type;
    this.#maxBytes = maxBytes;
  }

  /** Keeps the chunk and its memory. Returns spare memory for the next read, if any. */
  async write(chunk: Uint8Array): Promise<ArrayBuffer | undefined> {
    this.size += chunk.byteLength;
    if (this.size > this.#maxBytes) tooLarge(`A file may have ${sizeInWords(this.#maxBytes)} at most`);
    for (let rest = chunk; rest.byteLength; ) {
      if (this.#filled === this.#partBytes) await this.#sendPart();
      const fitting = rest.subarray(0, this.#partBytes - this.#filled);
      this.#filling.push(fitting);
      this.#filled += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
    return this.#spare.pop();
  }

  /** Completes the object. */
  async finish(): Promise<void> {
    if (this.#uploadId === undefined) await this.#putWhole();
    else {
      await this.#sendPart();
      await this.#settle();
      await this.#complete(this.#uploadId);
    }
    this.#release();
  }

  /** Sends the last part and returns all parts, for a caller that completes the upload itself. */
  async sendRest(): Promise<SentPart[]> {
    if (this.#filled) await this.#sendPart();
    await this.#settle();
    this.#release();
    return this.#sent;
  }

  /** Frees the memory and keeps the stored parts, which can be sent again. */
  async leave(): Promise<void> {
    await this.#sending?.catch(() => {});
    this.#release();
  }

  /** Deletes everything that was stored. */
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
    // Awaited with the next part. An earlier rejection must not crash the Worker.
    sending.catch(() => {});
    this.#sending = sending;
    this.#leaving = this.#filling;
    this.#filling = [];
    this.#filled = 0;
  }

  /** Waits for the part being sent. Frees its memory unless the next part begins there. */
  async #settle(): Promise<void> {
    if (this.#sending) this.#sent.push(await this.#sending);
    this.#sending = undefined;
    const free = memoryOf(this.#leaving);
    for (const begun of memoryOf(this.#filling)) free.delete(begun);
    this.#spare.push(...free);
    this.#leaving = [];
  }

  /** Frees memory at once: garbage collection runs late, and parts of several uploads would add up. */
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
    // Checked even if storage has no such upload: an earlier completion may have lost its reply.
    const stored = outcome === "invalid_parts" ? undefined : await objects.head("uploads", this.#key);
    if (stored?.size !== this.size) throw new ObjectStoreUnavailable("complete streamed upload");
  }
}
