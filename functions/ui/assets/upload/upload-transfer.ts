import { ApiError, callApi, online, pause, SILENCE_MS } from "./upload-api.ts";
import type { Part, Session } from "./upload-replies.ts";

/** Sends a file's missing parts to storage, several side by side. */

/** Parts of one file, and of all files, that are on their way at once. Browsers open six connections. */
const SENDERS = 3;
const SLOTS = 5;
/** Addresses that are asked for at once. */
const URLS_A_CALL = 20;
/** Milliseconds before a part is sent again. */
const WAITS_MS = [300, 1000, 2000, 4000, 8000, 15_000];

/** Said of a file that cannot be sent. */
export const UNREADABLE =
  "The file can no longer be read: it was changed or moved. Remove it here, then choose it again.";

let free = SLOTS;
const waiting: (() => void)[] = [];

async function slot<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** Signed addresses by the numbers of their parts. */
interface PartUrls {
  urls: Record<string, string>;
}

/** `onBytes` gets the bytes that are in storage and on the way. */
export class Transfer {
  readonly #file: File;
  readonly #session: Session;
  readonly #numbers: number[];
  readonly #onBytes: (bytes: number) => void;
  readonly #urls = new Map<number, string>();
  #asking: Promise<void> | undefined;
  readonly #loaded = new Map<number, number>();
  readonly #etags = new Map<number, string>();

  constructor(file: File, session: Session, onBytes: (bytes: number) => void) {
    this.#file = file;
    this.#session = session;
    this.#numbers = Array.from({ length: session.part_count }, (_, index) => index + 1);
    this.#onBytes = onBytes;
    for (const { number, size, etag } of session.parts ?? [])
      if (size === this.#blob(number).size) this.#note(number, size, etag);
  }

  get #bytes(): number {
    return [...this.#loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Resolves to the parts in order. Rejects when `signal` aborts, or a part cannot be sent. */
  async run(signal: AbortSignal): Promise<Part[]> {
    const missing = this.#numbers.filter((number) => !this.#etags.has(number));
    this.#onBytes(this.#bytes);
    // One sender's failure ends the others.
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    const sender = async () => {
      for (let number = missing.shift(); number; number = missing.shift())
        await this.#sendPart(number, either);
    };
    try {
      await Promise.all(Array.from({ length: SENDERS }, sender));
    } catch (error) {
      end.abort(error);
      throw error;
    }
    return this.#numbers.map((number) => ({ number, etag: this.#etags.get(number) ?? "" }));
  }

  #blob(number: number): Blob {
    const { part_size } = this.#session;
    return this.#file.slice((number - 1) * part_size, number * part_size);
  }

  #note(number: number, bytes: number, etag?: string): void {
    this.#loaded.set(number, bytes);
    if (etag) this.#etags.set(number, etag);
    this.#onBytes(this.#bytes);
  }

  async #sendPart(number: number, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await online(signal);
      const url = await this.#urlOf(number, signal);
      const blob = this.#blob(number);
      try {
        const etag = await slot(() => put(url, blob, (bytes) => this.#note(number, bytes), signal));
        return this.#note(number, blob.size, etag);
      } catch (error) {
        this.#note(number, 0);
        if (signal.aborted) throw error;
        await refuseUnreadable(blob);
        const waitMs = WAITS_MS[attempt];
        if (waitMs === undefined) throw error;
        // Its time may have run out.
        this.#urls.clear();
        await pause(waitMs, signal);
      }
    }
  }

  async #urlOf(number: number, signal: AbortSignal): Promise<string> {
    for (;;) {
      const url = this.#urls.get(number);
      if (url) return url;
      // Senders that begin together ask once.
      this.#asking ??= this.#ask(number, signal).finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
  }

  async #ask(number: number, signal: AbortSignal): Promise<void> {
    const others = this.#numbers.filter(
      (one) => one !== number && !this.#etags.has(one) && !this.#urls.has(one),
    );
    const json = { numbers: [number, ...others.slice(0, URLS_A_CALL - 1)] };
    const path = `/uploads/${this.#session.id}/parts`;
    const { urls } = await callApi<PartUrls>("POST", path, { json, signal });
    for (const [signed, url] of Object.entries(urls)) this.#urls.set(Number(signed), url);
  }
}

/** Browsers refuse a file that has changed since it was chosen, which looks like a broken connection. */
export async function refuseUnreadable(blob: Blob): Promise<void> {
  try {
    await blob.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(undefined, [UNREADABLE]);
  }
}

/** Returns the part's ETag. `fetch` cannot tell how much was sent. */
function put(
  url: string,
  blob: Blob,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const fail = () => reject(new ApiError(request.status, ["Storage cannot be reached."]));
    let silence = 0;
    const waitOn = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        fail();
        abort();
      }, SILENCE_MS);
    };
    signal.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded }) => {
      waitOn();
      onBytes(Math.min(loaded, blob.size));
    });
    request.addEventListener("loadend", () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
    });
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("error", fail);
    request.addEventListener("load", () => {
      const etag = request.getResponseHeader("ETag");
      if (request.status === 200 && etag) resolve(etag);
      else fail();
    });
    request.open("PUT", url);
    request.send(blob);
    waitOn();
  });
}
