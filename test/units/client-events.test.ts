import { expect, onTestFinished, test, vi } from "vitest";
import { readMessages } from "../../functions/client/event-messages.ts";
import type { EventOptions, EventStream } from "../../functions/client/events.ts";
import { createClient, ForbiddenError, type StreamEvent } from "../../functions/client/index.ts";

const EVENT_STREAM = { "Content-Type": "text/event-stream; charset=utf-8" };
const RETRY = "retry: 1\n\n";

/** A body that ends, breaks off or goes on for ever after the chunks. */
const bodyOf = (chunks: (string | Uint8Array)[], end: "ends" | "breaks" | "waits" = "ends") =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      else if (end === "ends") controller.close();
      else if (end === "breaks") controller.error(new TypeError("terminated"));
      else return new Promise(() => {});
    },
  });

const streaming = (text: string, end?: "ends" | "breaks" | "waits") =>
  new Response(bodyOf([text], end), { headers: EVENT_STREAM });

const eventOf = (id: number, type = "webhook.test") =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, timestamp: "", data: {} })}\n\n`;

/** Follows the replies of a service, the last of them again and again. */
function follow(replies: (() => Response | Error)[], options?: EventOptions) {
  const resumed: (string | null)[] = [];
  const client = createClient({
    apiUrl: "https://api.sound.test",
    token: "t",
    retries: { attempts: 1 },
    fetch: async (_, init) => {
      const headers = new Headers(init.headers);
      expect([headers.get("Accept"), headers.get("Authorization")]).toEqual(["text/event-stream", "OAuth t"]);
      const reply = replies[Math.min(resumed.push(headers.get("Last-Event-ID")), replies.length) - 1]?.();
      if (reply instanceof Response) return reply;
      throw reply;
    },
  });
  return { resumed, stream: client.events(options) };
}

/** Takes so many events, and then leaves the loop. */
async function take(stream: EventStream, count: number): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = [];
  for await (const event of stream) if (taken.push(event) === count) break;
  return taken;
}

const idsOf = (events: StreamEvent[]) => events.map((event) => ("id" in event ? event.id : event.type));

async function messagesIn(chunks: (string | Uint8Array)[]) {
  const messages = [];
  for await (const message of readMessages(bodyOf(chunks), new AbortController().signal))
    messages.push(message);
  return messages;
}

test("messages are read alike however the connection parts them", async () => {
  const text = `:\n\nid: 1\nretry: 20\n\nid: 2\r\ndata: {"é":\r\ndata:"😀"}\r\n\r\nid: 3\ndata: cut of`;
  const bytes = new TextEncoder().encode(text);
  const whole = await messagesIn([text]);
  expect(whole).toEqual([
    { id: undefined, data: undefined, retryMs: undefined },
    { id: "1", data: undefined, retryMs: 20 },
    { id: "2", data: '{"é":\n"😀"}', retryMs: undefined },
  ]);
  expect(await messagesIn(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  for (let place = 1; place < bytes.length; place++)
    expect(await messagesIn([bytes.slice(0, place), bytes.slice(place)])).toEqual(whole);
});

test("a stream goes on after the last event that came whole, and after the first id without one", async () => {
  const { stream, resumed } = follow([
    () => streaming(`id: 5\n${RETRY}`, "breaks"),
    () => streaming(`id: 5\n${RETRY}${eventOf(6)}${eventOf(7).slice(0, -1)}`, "breaks"),
    () => streaming(`id: 6\n${RETRY}${eventOf(7)}${eventOf(8)}`, "waits"),
  ]);
  expect(idsOf(await take(stream, 3))).toEqual([6, 7, 8]);
  expect(resumed).toEqual([null, "5", "6"]);
  expect(stream.lastEventId).toBe("8");
});

test("a stored id lets another stream go on, and a gap is an event", async () => {
  const reset = `id: 9\nretry: 10\nevent: reset\ndata: {"type":"reset","timestamp":"","data":{}}\n\n`;
  const { stream, resumed } = follow(
    [() => streaming(reset.slice(0, -1), "breaks"), () => streaming(`${reset}${eventOf(10)}`, "waits")],
    { lastEventId: "3" },
  );
  expect(idsOf(await take(stream, 2))).toEqual(["reset", 10]);
  // A break before the gap's end of block leaves the id that it had.
  expect(resumed).toEqual(["3", "3"]);
});

test("the next connection waits as long as the service asks", async () => {
  const { stream } = follow([
    () => streaming(`id: 1\nretry: 300\n\n`),
    () => streaming(`id: 1\n${RETRY}${eventOf(2)}`, "waits"),
  ]);
  const began = performance.now();
  await take(stream, 1);
  const waited = performance.now() - began;
  expect(waited).toBeGreaterThan(295);
  expect(waited).toBeLessThan(900);
});

test("failures that pass are told and followed by another attempt", async () => {
  const failures: string[] = [];
  const { stream } = follow(
    [
      () => streaming(RETRY),
      () => new Response(null, { status: 429, headers: { "Retry-After": "0" } }),
      () => streaming(eventOf(1), "waits"),
    ],
    { onFailure: ({ name }) => failures.push(name) },
  );
  expect(idsOf(await take(stream, 1))).toEqual([1]);
  expect(failures).toEqual(["RateLimitError"]);
});

test.each([
  ["no network", () => new TypeError("no network"), "ConnectionError"],
  ["a failing service", () => new Response(null, { status: 500 }), "ServiceError"],
  ["a page in place of a stream", () => new Response("<p>Pay first</p>"), "ConnectionError"],
])("with %s, a stream tries again until it is stopped", async (_, reply, name) => {
  const stop = new AbortController();
  const failures: string[] = [];
  const onFailure = (error: Error) => {
    failures.push(error.name);
    setTimeout(() => stop.abort(), 50);
  };
  const { stream, resumed } = follow([reply], { signal: stop.signal, onFailure });
  expect(await take(stream, 1)).toEqual([]);
  expect([failures, resumed.length]).toEqual([[name], 1]);
});

test("a refusal ends the stream with its error", async () => {
  const { stream, resumed } = follow([() => new Response(null, { status: 403 })]);
  await expect(take(stream, 1)).rejects.toBeInstanceOf(ForbiddenError);
  expect(resumed).toHaveLength(1);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test("an aborted signal ends the loop without an error, before it begins, while it waits and between events", async () => {
  expect(await take(follow([], { signal: AbortSignal.abort() }).stream, 1)).toEqual([]);
  const stop = new AbortController();
  const { stream } = follow([() => streaming(RETRY + eventOf(1) + eventOf(2), "waits")], {
    signal: stop.signal,
  });
  const taken: StreamEvent[] = [];
  for await (const event of stream) {
    taken.push(event);
    if (taken.length === 2) setTimeout(() => stop.abort(new Error("enough")), 10);
  }
  expect(idsOf(taken)).toEqual([1, 2]);
  const now = new AbortController();
  const both = follow([() => streaming(RETRY + eventOf(1) + eventOf(2), "waits")], { signal: now.signal });
  for await (const _ of both.stream) now.abort();
  expect(both.stream.lastEventId).toBe("1");
});

test("a connection that falls silent is replaced", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { stream, resumed } = follow([
    () => streaming(`id: 1\n${RETRY}`, "waits"),
    () => streaming(eventOf(2), "waits"),
  ]);
  const taking = take(stream, 1);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(resumed).toEqual([null]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(idsOf(await taking)).toEqual([2]);
  expect(resumed).toEqual([null, "1"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("return ends a step that waits for an event, and closes the connection", async () => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    pull: () => new Promise(() => {}),
    cancel: () => {
      isClosed = true;
    },
  });
  const { stream } = follow([() => new Response(body, { headers: EVENT_STREAM })]);
  const waiting = stream.next();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await stream.return()).toEqual({ done: true, value: undefined });
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(isClosed).toBe(true);
});
