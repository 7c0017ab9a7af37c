import type { Database } from "../../../db/client.ts";
import {
  closeEventStream,
  lookAtEvents,
  type OpenStream,
  type StreamEvent,
} from "../../../db/queries/event-stream.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Milliseconds between two looks. An event comes within two seconds; a look at an idle log costs one index. */
const LOOK_MS = 1_000;
/** Milliseconds after which another stream looks instead. A statement is given up earlier. */
const STUCK_MS = 8_000;
/** Milliseconds until a stream asks again for the result of another one's look. */
const RECHECK_MS = 50;
/** Events of one look, and those kept for streams that are a little behind. */
const PAGE = 100;

/** `newer`: newer streams took its place. `over`: its session or its user is gone. */
type Ending = "newer" | "over" | "failed" | "left";

/** A user's log, as an isolate knows it: only data, because no request may wait for another one's statement. */
interface Log {
  streams: OpenStream[];
  endings: Map<number, Ending>;
  /** Those after number `from` up to `to`. */
  events: StreamEvent[];
  from: number;
  to: number;
  /** Counts looks, so that a stream knows that there was one. */
  looks: number;
  dueAtMs: number;
  lookingSinceMs: number | undefined;
}

const logs = new Map<number, Log>();

const newLog = (after: number): Log => ({
  streams: [],
  endings: new Map(),
  events: [],
  from: after,
  to: after,
  looks: 0,
  dueAtMs: 0,
  lookingSinceMs: undefined,
});

/** Reads a user's events for one stream. All streams of the user in this isolate share their looks at the database. */
export class EventReader {
  readonly #db: Database;
  readonly #stream: OpenStream;
  readonly #log: Log;
  #after: number;
  #looks: number;

  constructor(db: Database, stream: OpenStream, after: number) {
    this.#db = db;
    this.#stream = stream;
    this.#after = after;
    this.#log = logs.get(stream.userId) ?? newLog(after);
    this.#looks = this.#log.looks;
    this.#log.streams.push(stream);
    logs.set(stream.userId, this.#log);
  }

  /** Returns the events of the next look, perhaps none, or the reason why the stream ends. */
  async next(hasLeft: () => boolean): Promise<StreamEvent[] | Ending> {
    for (;;) {
      const { dueAtMs, lookingSinceMs, endings } = this.#log;
      const ending = hasLeft() ? "left" : endings.get(this.#stream.stream);
      if (ending) return ending;
      if (this.#after < this.#log.from) return this.#catchUp();
      if (this.#looks !== this.#log.looks) return this.#take();
      const now = Date.now();
      const isFree = lookingSinceMs === undefined || now - lookingSinceMs > STUCK_MS;
      if (isFree && now >= dueAtMs) await look(this.#db, this.#log, this.#stream.userId);
      else await new Promise((wake) => setTimeout(wake, Math.max(dueAtMs - now, RECHECK_MS)));
    }
  }

  /** Ends the stream. A failed look leaves it to the streams that are opened next. */
  async close(): Promise<void> {
    const { userId, stream } = this.#stream;
    this.#log.streams = this.#log.streams.filter((one) => one !== this.#stream);
    if (this.#log.streams.length === 0 && logs.get(userId) === this.#log) logs.delete(userId);
    if (!this.#log.endings.has(stream)) await closeEventStream(this.#db, this.#stream).catch(() => {});
  }

  #take(): StreamEvent[] {
    const events = this.#log.events.filter(({ number }) => number > this.#after);
    this.#after = Math.max(this.#after, this.#log.to);
    this.#looks = this.#log.looks;
    return events;
  }

  /** Reads for this stream alone, which is further behind than the others. */
  async #catchUp(): Promise<StreamEvent[] | Ending> {
    try {
      const found = await lookAtEvents(this.#db, this.#stream.userId, this.#after, [this.#stream], PAGE);
      if (!found) return "over";
      this.#after = endOf(found);
      return found.events;
    } catch (error) {
      noteFailure(error);
      return "failed";
    }
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof lookAtEvents>>>;

/** The number up to which all events were found. */
const endOf = ({ events, last }: Found): number =>
  events.length < PAGE ? last : (events.at(-1)?.number ?? last);

async function look(db: Database, log: Log, userId: number): Promise<void> {
  const after = log.to;
  log.lookingSinceMs = Date.now();
  try {
    const found = await lookAtEvents(db, userId, after, log.streams, PAGE);
    // Another stream may have looked meanwhile, because this look took so long.
    if (!found) endAll(log, "over");
    // The database was restored. Their clients come back and hear of it.
    else if (found.last < after) endLog(log, userId);
    else if (log.to === after) note(log, found);
    log.dueAtMs = found && found.events.length === PAGE ? 0 : Date.now() + LOOK_MS;
  } catch (error) {
    noteFailure(error);
    endLog(log, userId);
  }
  log.lookingSinceMs = undefined;
  log.looks += 1;
}

function note(log: Log, found: Found): void {
  for (const { stream, open, live } of found.states)
    if (!live || !open) log.endings.set(stream, live ? "newer" : "over");
  log.to = endOf(found);
  log.events.push(...found.events);
  const dropped = log.events.splice(0, log.events.length - PAGE);
  log.from = dropped.at(-1)?.number ?? log.from;
}

function endAll(log: Log, ending: Ending): void {
  for (const { stream } of log.streams) log.endings.set(stream, ending);
}

/** Ends what is open. Later streams begin a log of their own. */
function endLog(log: Log, userId: number): void {
  endAll(log, "failed");
  if (logs.get(userId) === log) logs.delete(userId);
}

/** A failure ends streams. Their clients come back with their last id, and learn what is wrong then. */
const noteFailure = (error: unknown): void => logLine("warn", "event_stream_ended", describeError(error));
