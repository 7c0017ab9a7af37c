import type { Context } from "hono";
import { SessionEnded } from "../../db/faults.ts";
import {
  openEventStream,
  type Position,
  readEventStream,
  type StreamEvent,
} from "../../db/queries/event-stream.ts";
import type { UserEnv } from "../http/env.ts";
import { budgetOf, settleBudget } from "../http/limits/budgets.ts";
import { describeError, logLine } from "../http/log.ts";
import { HttpError } from "../http-error.ts";
import { representEvent } from "./events.ts";

/** Milliseconds. An event comes within two seconds; an idle stream costs one look at an index each time. */
const POLL_MS = 1_000;
/** Milliseconds. Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds. Ends before a Worker's request has used up its subrequests; the client comes back. */
const LASTS_MS = 4 * 60_000;
const RETRY_MS = 1_000;
const PAGE = 100;

const EVENT_STREAM = "text/event-stream";

/** Sends the user's events until the session ends, the client leaves or some minutes have passed. */
export async function streamEvents(c: Context<UserEnv>): Promise<Response> {
  const last = c.req.header("Last-Event-ID") || undefined;
  const after = last === undefined ? undefined : positionIn(last);
  const refusal = refusalOf(c.req.header("Accept"), last !== undefined && after === undefined);
  if (refusal) return refuse(c, refusal);
  const opened = await openEventStream(c.var.db, c.var.viewer, budgetOf(c.env, "event-streams"));
  const { transaction } = settleBudget(c, "event-streams", opened);
  const messages = messagesAfter(c, after ?? { transaction, id: 0 });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const message = await messages.next();
      if (message.done) controller.close();
      else controller.enqueue(encoder.encode(message.value));
    },
    async cancel() {
      await messages.return();
    },
  });
  return c.body(body, 200, {
    "Content-Type": `${EVENT_STREAM}; charset=utf-8`,
    "Cache-Control": "private, no-store",
  });
}

function refusalOf(accept: string | undefined, isForeign: boolean): HttpError | undefined {
  if (!accept?.toLowerCase().includes(EVENT_STREAM))
    return new HttpError(406, [`Send Accept: ${EVENT_STREAM}; this reply is a stream of events`]);
  if (isForeign)
    return new HttpError(400, ["Last-Event-ID: was not issued by this stream"], {}, "foreign-cursor");
  return undefined;
}

/** Counts against no budget. Reading no events checks the session first: a client must hear that it has ended. */
async function refuse(c: Context<UserEnv>, refusal: HttpError): Promise<never> {
  await readEventStream(c.var.db, c.var.viewer, { transaction: "0", id: 0 }, 0);
  throw refusal;
}

/** The client repeats the id of the last event that it received. */
function positionIn(sent: string): Position | undefined {
  const [, transaction, id] = /^(\d{1,18})\.(\d{1,16})$/.exec(sent) ?? [];
  return transaction === undefined ? undefined : { transaction, id: Number(id) };
}

async function* messagesAfter(c: Context<UserEnv>, start: Position): AsyncGenerator<string, void> {
  let after = start;
  const endsAtMs = Date.now() + LASTS_MS;
  let saidAtMs = Date.now();
  // Without the id, a client whose connection breaks before its first event would begin anew, later.
  yield `id: ${idOf(start)}\nretry: ${RETRY_MS}\n\n`;
  while (Date.now() < endsAtMs) {
    const events = await readOrEnd(c, after);
    if (!events) return;
    after = events.at(-1) ?? after;
    if (events.length || Date.now() - saidAtMs >= HEARTBEAT_MS) {
      yield events.map((event) => messageOf(c, event)).join("") || ":\n\n";
      saidAtMs = Date.now();
    }
    if (events.length < PAGE) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A failure ends the stream. The client comes back with its last id, and learns what is wrong then. */
async function readOrEnd(c: Context<UserEnv>, after: Position): Promise<StreamEvent[] | undefined> {
  try {
    return await readEventStream(c.var.db, c.var.viewer, after, PAGE);
  } catch (error) {
    if (!(error instanceof SessionEnded)) logLine("warn", "event_stream_ended", describeError(error));
    return undefined;
  }
}

const idOf = ({ transaction, id }: Position): string => `${transaction}.${id}`;

const messageOf = (c: Context<UserEnv>, event: StreamEvent): string =>
  `id: ${idOf(event)}\nevent: ${event.event}\ndata: ${JSON.stringify(representEvent(event, c.env))}\n\n`;
