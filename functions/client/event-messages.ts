/** Milliseconds without a byte. The service sends a comment every five seconds. */
const SILENCE_MS = 30_000;

/** A block of a stream of Server-Sent Events. The fields that it lacks are `undefined`. */
export interface Message {
  id: string | undefined;
  data: string | undefined;
  /** Milliseconds before the next connection. */
  retryMs: number | undefined;
}

/** Reads a stream until it ends, breaks off, falls silent or is aborted. A truncated block is dropped. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Message, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    for (let rest = ""; !signal.aborted; ) {
      const bytes = await nextOf(reader, stop);
      if (!bytes) return;
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      yield* blocks.map(messageIn);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** `undefined`: nothing more comes. A broken connection counts as ended, because the next one goes on after it. */
async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  stop: () => void,
): Promise<Uint8Array | undefined> {
  const timer = setTimeout(stop, SILENCE_MS);
  try {
    return (await reader.read()).value;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function messageIn(block: string): Message {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []);
  const valuesOf = (name: string) =>
    fields.flatMap(([, field, value = ""]) => (field === name ? [value] : []));
  const data = valuesOf("data");
  const retry = valuesOf("retry").at(-1);
  return {
    id: valuesOf("id").at(-1),
    data: data.length ? data.join("\n") : undefined,
    retryMs: retry && /^\d+$/.test(retry) ? Number(retry) : undefined,
  };
}
