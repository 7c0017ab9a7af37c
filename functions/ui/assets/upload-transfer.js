import { ApiError, callApi, online, pause, SILENCE_MS } from "./upload-api.js";

/** Sends a file's missing parts to storage, several side by side. */

/** Parts of one file, and of all files, that are on their way at once. Browsers open six connections. */
const SENDERS = 3;
const SLOTS = 5;
/** Addresses that are asked for at once. */
const URLS_A_CALL = 20;
/** Milliseconds before a part is sent again. */
const WAITS_MS = [300, 1000, 2000, 4000, 8000, 15_000];

const UNREADABLE =
  "The file can no longer be read: it was changed or moved. Remove it here, then choose it again.";

let free = SLOTS;
const waiting = [];

async function slot(work) {
  if (free > 0) free -= 1;
  else await new Promise((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** `upload` is the API's session, with the parts that storage has. `onBytes` gets the bytes there and on the way. */
export class Transfer {
  #api;
  #file;
  #upload;
  #onBytes;
  #urls = new Map();
  #asking;
  #loaded = new Map();
  #etags = new Map();

  constructor(api, file, upload, onBytes) {
    this.#api = api;
    this.#file = file;
    this.#upload = upload;
    this.#onBytes = onBytes;
    for (const { number, size, etag } of upload.parts ?? [])
      if (size === this.#blob(number).size) this.#note(number, size, etag);
  }

  get bytes() {
    return [...this.#loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Resolves to the parts in order. Rejects when `signal` aborts, or a part cannot be sent. */
  async run(signal) {
    const numbers = Array.from({ length: this.#upload.part_count }, (_, index) => index + 1);
    const missing = numbers.filter((number) => !this.#etags.has(number));
    this.#onBytes(this.bytes);
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
    return numbers.map((number) => ({ number, etag: this.#etags.get(number) }));
  }

  #blob(number) {
    const { part_size } = this.#upload;
    return this.#file.slice((number - 1) * part_size, number * part_size);
  }

  #note(number, bytes, etag) {
    this.#loaded.set(number, bytes);
    if (etag) this.#etags.set(number, etag);
    this.#onBytes(this.bytes);
  }

  async #sendPart(number, signal) {
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
        if (attempt >= WAITS_MS.length) throw error;
        // Its time may have run out.
        this.#urls.clear();
      }
      await pause(WAITS_MS[attempt], signal);
    }
  }

  async #urlOf(number, signal) {
    // Lanes that begin together ask once.
    while (!this.#urls.has(number)) {
      this.#asking ??= this.#ask(number, signal).finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.#urls.get(number);
  }

  async #ask(number, signal) {
    const all = Array.from({ length: this.#upload.part_count }, (_, index) => index + 1);
    const others = all.filter((one) => one !== number && !this.#etags.has(one) && !this.#urls.has(one));
    const json = { numbers: [number, ...others.slice(0, URLS_A_CALL - 1)] };
    const path = `/uploads/${this.#upload.id}/parts`;
    const { urls } = await callApi(this.#api, "POST", path, { json, signal });
    for (const [signed, url] of Object.entries(urls)) this.#urls.set(Number(signed), url);
  }
}

/** Browsers refuse a file that has changed since it was chosen, which looks like a broken connection. */
export async function refuseUnreadable(blob) {
  try {
    await blob.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(undefined, [UNREADABLE]);
  }
}

/** Returns the part's ETag. `fetch` cannot tell how much was sent. */
function put(url, blob, onBytes, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const fail = () => reject(new ApiError(request.status, ["Storage cannot be reached."]));
    let silence;
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
