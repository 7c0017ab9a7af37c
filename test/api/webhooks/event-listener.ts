import { expect } from "vitest";
import * as z from "zod";
import { StreamReset, WebhookEvent } from "../../../functions/api/webhooks/events.ts";
import { stack } from "../../support/stack.ts";

export interface Message {
  id: string;
  type: string;
  event: WebhookEvent | StreamReset;
}

const StreamMessage = z.union([WebhookEvent, StreamReset]);

/** Reads a stream as `EventSource` does, and stops at any moment. */
export class Listener {
  readonly messages: Message[] = [];
  lines = "";
  headers: Headers | undefined;
  /** The next stream goes on after it. The first lines of one have an id, too. */
  lastId: string | undefined;
  /** The server ended it, or the connection broke. */
  ended = false;
  readonly #stop = new AbortController();
  readonly #apiUrl: string;

  constructor(apiUrl = stack.urls.api) {
    this.#apiUrl = apiUrl;
  }

  async open(who: { token: string }, lastId?: string): Promise<Listener> {
    const headers = {
      Authorization: `OAuth ${who.token}`,
      Accept: "text/event-stream",
      ...(lastId !== undefined && { "Last-Event-ID": lastId }),
    };
    const reply = await fetch(`${this.#apiUrl}/me/events`, { headers, signal: this.#stop.signal });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    this.headers = reply.headers;
    void this.#read(reply)
      .catch(() => {})
      .finally(() => {
        this.ended = true;
      });
    await expect.poll(() => this.lines).toContain("retry: ");
    return this;
  }

  stop = () => this.#stop.abort();

  /** Waits until so many events have come. */
  async received(count: number): Promise<string[]> {
    await expect.poll(() => this.messages.length, { interval: 50 }).toBeGreaterThanOrEqual(count);
    return this.messages.map(({ type }) => type);
  }

  async #read(reply: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of reply.body ?? []) {
      const text = decoder.decode(bytes, { stream: true });
      this.lines += text;
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]));
    this.lastId = fields.get("id") ?? this.lastId;
    const data = fields.get("data");
    if (data === undefined) return;
    const event = StreamMessage.parse(JSON.parse(data));
    this.messages.push({ id: fields.get("id") ?? "", type: fields.get("event") ?? "", event });
  }
}
