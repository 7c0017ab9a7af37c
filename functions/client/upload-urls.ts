import type { Client } from "./client.ts";

/** URLs per request. */
const URLS_A_CALL = 20;

/** Presigned URLs of the parts, requested in batches. */
export class PartUrls {
  readonly client: Client;
  readonly #id: number;
  readonly #wanted: number[];
  readonly #signal: AbortSignal;
  readonly #urls = new Map<number, string>();
  #asking: Promise<void> | undefined;

  constructor(client: Client, id: number, wanted: number[], signal: AbortSignal) {
    this.client = client;
    this.#id = id;
    this.#wanted = wanted;
    this.#signal = signal;
  }

  async of(number: number): Promise<string> {
    for (;;) {
      const url = this.#urls.get(number);
      if (url !== undefined) return url;
      // Concurrent callers share one request.
      this.#asking ??= this.#ask(number).finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
  }

  /** Drops a URL that may have expired. */
  forget = (number: number): void => void this.#urls.delete(number);

  async #ask(number: number): Promise<void> {
    const later = this.#wanted.filter((other) => other > number && !this.#urls.has(other));
    const numbers = [number, ...later.slice(0, URLS_A_CALL - 1)];
    const path = { id: this.#id };
    const input = { path, body: { numbers }, signal: this.#signal };
    const { urls } = await this.client.post("/uploads/{id}/parts", input);
    for (const [signed, url] of Object.entries(urls)) this.#urls.set(Number(signed), url);
  }
}
