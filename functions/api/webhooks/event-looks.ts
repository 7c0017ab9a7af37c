import type { Database } from "../../../db/client.ts";
import {
  closeEventStream,
  lookAtEvents,
  type OpenStream,
  type StreamEvent,
} from "../../../db/queries/event-stream.ts";
import { describeError, logLine } from "../../lib/http/log.ts";

/** Milliseconds between two polls. An event arrives within two seconds; polling an idle log costs one index lookup. */
const POLL_MS = 1_000;
/** Milliseconds after which another stream polls instead. Statements time out earlier. */
const STUCK_MS = 8_000;
/** Milliseconds until a stream checks again for the result of another one's poll. */
const RECHECK_MS = 50;
/** Events per poll, and those buffered for streams that are slightly behind. */
const PAGE = 100;

/** `newer`: newer streams replaced it. `over`: its session or user no longer exists. */
type Ending = "newer" | "over" | "failed" | "left";

/** An isolate's view of a user's log: only data, because no request may await another one's statement. */
interface Log {
  streams: OpenStream[];
  endings: Map<number, Ending>;
  /** Events after id `from` up to `to`. */
  events: StreamEvent[];
  from: number;
  to: number;
  /** Counts polls, so that a stream notices one. */
  polls: number;
  dueAtMs: number;
  pollingSinceMs: number | undefined;
}

const logs = new Map<number, Log>();

const newLog = (after: number): Log => ({
  streams: [],
  endings: new Map(),
  events: [],
  from: after,
  to: after,
  polls: 0,
  dueAtMs: 0,
  pollingSinceMs: undefined,
});

/** Reads a user's events for one stream. All streams of the user in this isolate share their polls. */
export class EventReader {
  readonly #db: Database;
  readonly #stream: OpenStream;
  readonly #log: Log;
  #after: number;
  #polls: number;

  constructor(db: Database, stream: OpenStream, after: number) {
    this.#db = db;
    this.#stream = stream;
    this.#after = after;
    this.#log = logs.get(stream.userId) ?? newLog(after);
    this.#polls = this.#log.polls;
    this.#log.streams.push(stream);
    logs.set(stream.userId, this.#log);
  }

  /** Returns the events of the next poll, perhaps none, or the reason why the stream ends. */
  async next(hasLeft: () => boolean): Promise<StreamEvent[] | Ending> {
    for (;;) {
      const { dueAtMs, pollingSinceMs, endings } = this.#log;
      const ending = hasLeft() ? "left" : endings.get(this.#stream.stream);
      if (ending) return ending;
      if (this.#after < this.#log.from) return this.#catchUp();
      if (this.#polls !== this.#log.polls) return this.#take();
      const now = Date.now();
      const isFree = pollingSinceMs === undefined || now - pollingSinceMs > STUCK_MS;
      if (isFree && now >= dueAtMs) await poll(this.#db, this.#log, this.#stream.userId);
      else await new Promise((wake) => setTimeout(wake, Math.max(dueAtMs - now, RECHECK_MS)));
    }
  }

  /** Ends the stream. After a failed poll, later streams poll again. */
  async close(): Promise<void> {
    const { userId, stream } = this.#stream;
    this.#log.streams = this.#log.streams.filter((one) => one !== this.#stream);
    if (this.#log.streams.length === 0 && logs.get(userId) === this.#log) logs.delete(userId);
    if (!this.#log.endings.has(stream)) await closeEventStream(this.#db, this.#stream).catch(() => {});
  }

  #take(): StreamEvent[] {
    const events = this.#log.events.filter(({ event_id }) => event_id > this.#after);
    this.#after = Math.max(this.#after, this.#log.to);
    this.#polls = this.#log.polls;
    return events;
  }

  /** Reads for this stream alone, because it is further behind than the others. */
  async #catchUp(): Promise<StreamEvent[] | Ending> {
    try {
      const found = await lookAtEvents(this.#db, this.#stream.userId, this.#after, [this.#stream], PAGE);
      if (!found) return "over";
      const [ending] = found.states.flatMap((state) => endingOf(state) ?? []);
      if (ending) return ending;
      this.#after = endOf(found);
      return found.events;
    } catch (error) {
      noteFailure(error);
      return "failed";
    }
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof lookAtEvents>>>;

/** The id up to which the events are complete. */
const endOf = ({ events, last }: Found): number =>
  events.length < PAGE ? last : (events.at(-1)?.event_id ?? last);

const endingOf = ({ live, open }: Found["states"][number]): Ending | undefined => {
  if (live && open) return undefined;
  return live ? "newer" : "over";
};

async function poll(db: Database, log: Log, userId: number): Promise<void> {
  const after = log.to;
  log.pollingSinceMs = Date.now();
  try {
    const found = await lookAtEvents(db, userId, after, log.streams, PAGE);
    // Another stream may have polled meanwhile, because this poll took so long.
    if (!found) endAll(log, "over");
    // The database was restored. The clients reconnect and receive `reset`.
    else if (found.last < after) endLog(log, userId);
    else if (log.to === after) note(log, found);
    log.dueAtMs = found && found.events.length === PAGE ? 0 : Date.now() + POLL_MS;
  } catch (error) {
    noteFailure(error);
    endLog(log, userId);
  }
  log.pollingSinceMs = undefined;
  log.polls += 1;
}

function note(log: Log, found: Found): void {
  for (const state of found.states) {
    const ending = endingOf(state);
    if (ending) log.endings.set(state.stream, ending);
  }
  log.to = endOf(found);
  log.events.push(...found.events);
  const dropped = log.events.splice(0, log.events.length - PAGE);
  log.from = dropped.at(-1)?.event_id ?? log.from;
}

function endAll(log: Log, ending: Ending): void {
  for (const { stream } of log.streams) log.endings.set(stream, ending);
}

/** Ends all open streams. Later streams start a new log. */
function endLog(log: Log, userId: number): void {
  endAll(log, "failed");
  if (logs.get(userId) === log) logs.delete(userId);
}

/** A failure ends streams. Their clients reconnect with their last id, and learn the cause then. */
const noteFailure = (error: unknown): void => logLine("warn", "event_stream_ended", describeError(error));
