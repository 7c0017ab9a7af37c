import type { Context } from "hono";
import { openEventStream, requireSession, type StreamEvent } from "../../../db/queries/event-stream.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { negotiate } from "../../lib/http/format/accept.ts";
import { namedFormat } from "../../lib/http/format/negotiate.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { EventReader } from "./event-looks.ts";
import { representEvent, type StreamReset } from "./events.ts";

/** Concurrent streams of one user. A further one ends the oldest. */
const MOST_STREAMS = 8;
/**
 * Milliseconds. Proxies close connections that are silent for a minute, and workerd notices only by writing that a
 * client left.
 */
const HEARTBEAT_MS = 5_000;
/** Milliseconds. Ends before a Worker's request has used up its subrequests; the client reconnects. */
const LASTS_MS = 4 * 60_000;
/**
 * Milliseconds until a client reconnects. A client that was pushed out waits longer, or nine would push each other out
 * all the time.
 */
const RETRY_MS = 1_000;
const RETRY_PUSHED_OUT_MS = 60_000;

const STREAM = { name: "stream", mediaType: "text/event-stream", aliases: [] };

/** Asks proxies not to buffer, compress or cache events. nginx compresses them all the same, but holds none back. */
const UNBUFFERED = {
  "Content-Type": `${STREAM.mediaType}; charset=utf-8`,
  "Cache-Control": "private, no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** Sends the user's events until the session ends, the client leaves or some minutes have passed. */
export async function streamEvents(c: Context<UserEnv>): Promise<Response> {
  const last = c.req.header("Last-Event-ID") || undefined;
  const after = last === undefined ? null : numberIn(last);
  const refusal = refusalOf(c, after === undefined);
  if (refusal || after === undefined) return refuse(c, refusal);
  if (c.req.raw.method === "HEAD") return describe(c);
  const budget = budgetOf(c.env, "event-streams");
  const opened = await openEventStream(c.var.db, c.var.viewer, { after, most: MOST_STREAMS, budget });
  let hasLeft = false;
  const messages = messagesOf(c, settleBudget(c, "event-streams", opened), () => hasLeft);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const message = await messages.next();
      if (hasLeft) return;
      if (message.done) controller.close();
      else controller.enqueue(encoder.encode(message.value));
    },
    async cancel() {
      hasLeft = true;
      await messages.return();
    },
  });
  return c.body(body, 200, UNBUFFERED);
}

function refusalOf(c: Context<UserEnv>, isForeign: boolean): HttpError | undefined {
  if (namedFormat(c) || !negotiate(c.req.header("Accept"), [STREAM]))
    return new HttpError(406, [
      `This reply is a stream of events: name no format, and let Accept allow ${STREAM.mediaType}`,
    ]);
  if (isForeign)
    return new HttpError(400, ["Last-Event-ID: was not issued by this stream"], {}, "foreign-cursor");
  return undefined;
}

/** Uses up no budget. Checks the session first: a client must learn that it has ended. */
async function refuse(c: Context<UserEnv>, refusal: HttpError | undefined): Promise<never> {
  await requireSession(c.var.db, c.var.viewer);
  throw refusal;
}

/** Answers HEAD, which has no body to send events in. */
async function describe(c: Context<UserEnv>): Promise<Response> {
  await requireSession(c.var.db, c.var.viewer);
  return c.body(null, 200, UNBUFFERED);
}

/** The client repeats the id of the last event that it received. An older release put a transaction before the number. */
function numberIn(sent: string): number | undefined {
  const [, number] = /^(?:\d{1,18}\.)?(\d{1,16})$/.exec(sent) ?? [];
  return number === undefined ? undefined : Number(number);
}

async function* messagesOf(
  c: Context<UserEnv>,
  { after, gap, stream }: { after: number; gap: boolean | null; stream: number },
  hasLeft: () => boolean,
): AsyncGenerator<string, void> {
  const { sessionId, clientId, userId } = c.var.viewer;
  const reader = new EventReader(c.var.db, { sessionId, clientId, userId, stream }, after);
  const closed = Promise.withResolvers<void>();
  // Otherwise a client that leaves would abort the poll that other streams wait for, and the record that it left.
  c.executionCtx.waitUntil(closed.promise);
  try {
    const endsAtMs = Date.now() + LASTS_MS;
    let saidAtMs = Date.now();
    // Without the id, a client whose connection breaks before its first event would resume at a later one. A reset is in
    // the same block, or a break between the two would lose it.
    yield `id: ${after}\nretry: ${RETRY_MS}\n${gap ? resetFields() : ""}\n`;
    while (Date.now() < endsAtMs) {
      const found = await reader.next(hasLeft);
      if (found === "newer") yield `retry: ${RETRY_PUSHED_OUT_MS}\n\n`;
      if (typeof found === "string") return;
      if (found.length || Date.now() - saidAtMs >= HEARTBEAT_MS) {
        yield found.map((event) => messageOf(c, event)).join("") || ":\n\n";
        saidAtMs = Date.now();
      }
    }
  } finally {
    await reader.close();
    closed.resolve();
  }
}

const messageOf = (c: Context<UserEnv>, event: StreamEvent): string =>
  `id: ${event.event_id}\nevent: ${event.event}\ndata: ${JSON.stringify(representEvent(event, c.env))}\n\n`;

function resetFields(): string {
  const reset: StreamReset = { type: "reset", timestamp: new Date().toISOString(), data: {} };
  return `event: reset\ndata: ${JSON.stringify(reset)}\n`;
}
