import { and, between, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { eventStreams, streamEvents, webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { callAs, createdAt, type SignedIn, signedIn } from "./caller.ts";
import { eventId, withEvent } from "./webhook-deliveries.ts";
import { belongTo } from "./webhooks.ts";

const StreamEvent = () => withEvent(z.strictObject({ event_id: z.number(), occurred_at: z.string() }));
export type StreamEvent = ReplyOf<typeof StreamEvent>;

const OpenedStream = () =>
  z.discriminatedUnion("outcome", [
    OverBudget(),
    z.strictObject({
      outcome: z.literal("open"),
      spent: Spent().nullable(),
      stream: z.number(),
      /** Number of the event after which the stream continues. */
      after: z.number(),
      /** Whether events are missing before the next. Null for a new client. */
      gap: z.boolean().nullable(),
    }),
  ]);

/**
 * Opens a stream after the event `after`, or from now on. Logs the user's events for one more day. The newest `most` streams of
 * the user stay open.
 */
export const openEventStream = (
  db: Database,
  caller: SignedIn,
  given: { after: number | null; most: number; budget: BudgetLimit | null },
) => callAs(db, "open_event_stream", OpenedStream, caller, given);

const columns = {
  event_id: streamEvents.number,
  event: streamEvents.event,
  data: streamEvents.data,
  occurred_at: createdAt(streamEvents.number),
};

/** A stream of the isolate, with the session that it serves. */
export interface OpenStream extends SignedIn {
  stream: number;
}

/** `open`: no newer streams took its place. `live`: its session has not ended. */
type StreamState = { stream: number; open: boolean; live: boolean };

/**
 * Finds a user's events after a number, oldest first, and the state of each of the user's streams. Returns no row if
 * the log is gone.
 */
export async function lookAtEvents(
  db: Database,
  userId: number,
  after: number,
  streams: OpenStream[],
  limit: number,
) {
  const asked = JSON.stringify(streams);
  const rows = await db.read((on) =>
    on
      .select({
        last: eventStreams.last,
        states: sql<StreamState[]>`(
          select json_agg(json_build_object('stream', s.stream, 'open', s.stream = any(${eventStreams.open}),
            'live', session_is_live(s."sessionId", s."clientId", ${eventStreams.userId})))
          from jsonb_to_recordset(${asked}::jsonb) as s(stream bigint, "sessionId" bigint, "clientId" text))`,
        ...columns,
      })
      .from(eventStreams)
      .leftJoin(
        streamEvents,
        and(eq(streamEvents.userId, eventStreams.userId), gt(streamEvents.number, after)),
      )
      .where(eq(eventStreams.userId, userId))
      .orderBy(streamEvents.number)
      .limit(limit),
  );
  const [first] = rows;
  if (!first) return undefined;
  const events = rows.flatMap(({ event_id, event, data, occurred_at }) =>
    event_id === null ? [] : [asEvent({ event_id, event, data, occurred_at })],
  );
  return { last: first.last, states: first.states, events };
}

/** Types `data` by its event: triggers alone write both, and the columns do not say that they belong together. */
const asEvent = (row: { event_id: number; event: string | null; data: unknown; occurred_at: string }) =>
  row as StreamEvent;

/**
 * Ids per two minutes. A transaction creates deliveries so long before its events have their ids, or an id so long before
 * its deliveries.
 */
const TRANSACTION = 120_000 << 12;

/** Finds an event in the user's log, or among the deliveries of the app's webhooks. */
export async function findEvent(db: Database, user: SignedIn, id: number) {
  const [row] = await db.read((on) => {
    const delivered = on
      .select({
        event_id: eventId,
        event: webhookDeliveries.event,
        data: webhookDeliveries.data,
        occurred_at: createdAt(eventId),
      })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(
        and(
          belongTo(user),
          between(webhookDeliveries.id, id - TRANSACTION, id + TRANSACTION),
          eq(eventId, id),
        ),
      );
    return on
      .select(columns)
      .from(streamEvents)
      .where(and(signedIn(user), eq(streamEvents.userId, user.userId), eq(streamEvents.number, id)))
      .unionAll(delivered)
      .limit(1);
  });
  return row && asEvent(row);
}

/** Removes the stream of a disconnected client. */
export const closeEventStream = (db: Database, { userId, stream }: OpenStream) =>
  db.write((on) =>
    on
      .update(eventStreams)
      .set({ open: sql`array_remove(${eventStreams.open}, ${stream}::bigint)` })
      .where(eq(eventStreams.userId, userId)),
  );

/** Fails with `SessionEnded` if the session has ended. */
export const requireSession = (db: Database, caller: SignedIn) => db.read(sql`select ${signedIn(caller)}`);

/** Deletes up to `limit` events older than a day, and logs without readers. */
export const forgetStreamEvents = (db: Database, limit: number) =>
  db.call("forget_stream_events", () => z.number(), { limit });
