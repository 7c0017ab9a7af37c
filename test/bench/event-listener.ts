/** Reads `/me/events` of a user and notes when each like arrived, by the user who liked. */
export class EventListener {
  readonly arrivedAt = new Map<number, number>();
  readonly #stop = new AbortController();

  async open(api: string, token: string): Promise<this> {
    const headers = { Authorization: `OAuth ${token}`, Accept: "text/event-stream" };
    const reply = await fetch(`${api}/me/events`, { headers, signal: this.#stop.signal });
    if (!reply.ok || !reply.body) throw new Error(`/me/events: ${reply.status} ${await reply.text()}`);
    void this.#read(reply.body).catch(() => {});
    return this;
  }

  close = () => this.#stop.abort();

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of body) {
      const at = performance.now();
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const event = JSON.parse(data) as { data: { user: { id: number } } };
        this.arrivedAt.set(event.data.user.id, at);
      }
    }
  }
}
