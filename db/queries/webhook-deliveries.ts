import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { comments } from "../schema/comments.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import type { ReplyOf } from "../shape.ts";
import { selected } from "../stored-select.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { type Caller, callAs, createdAt, moment, type SignedIn } from "./caller.ts";
import { MiniUserRow } from "./people.ts";
import { ArtistRow } from "./track-rows.ts";
import { belongTo, webhookColumns } from "./webhooks.ts";

export const ThingFacts = () =>
  rowOf(playlists)
    .pick({ id: true, title: true, permalink: true, sharing: true })
    .extend({ owner_permalink: z.string() });
export type ThingFacts = ReplyOf<typeof ThingFacts>;

export const TrackFacts = () =>
  ThingFacts()
    .extend(rowOf(tracks).pick({ state: true, duration_ms: true }).shape)
    // Events of before artists were credited have none.
    .extend({ artists: z.array(ArtistRow().pick({ name: true, role: true })).optional() });
export type TrackFacts = ReplyOf<typeof TrackFacts>;

export const CommentFacts = () =>
  rowOf(comments)
    .pick({ id: true, body: true, timestamp_ms: true, parent_id: true })
    // Events of before there were replies have none.
    .partial({ parent_id: true });
export type CommentFacts = ReplyOf<typeof CommentFacts>;

const AttemptRow = () =>
  z.strictObject({
    at: z.string(),
    duration_ms: z.number(),
    /** Null if no response came. */
    response_code: z.number().nullable(),
    /** Null if it was delivered. */
    failure: z.string().nullable(),
  });
type AttemptRow = ReplyOf<typeof AttemptRow>;

const Delivery = () =>
  rowOf(webhookDeliveries)
    .pick({ id: true, webhook_id: true, state: true, next_attempt_at: true })
    .extend({
      event_id: z.number(),
      occurred_at: z.string(),
      /** The last attempts, oldest first. */
      attempts: z.array(AttemptRow()),
    });

/** A row with an event and its data at that time. `user` is the user who caused it. */
export const withEvent = <Row extends z.ZodRawShape>(row: z.ZodObject<Row>) => {
  const deliveryOf = <Event extends string, Data extends z.ZodType>(event: Event, data: Data) =>
    row.extend({ event: z.literal(event), data });
  const [track, playlist, comment, user] = [TrackFacts(), ThingFacts(), CommentFacts(), MiniUserRow()];
  const favored = z.union([z.strictObject({ track, user }), z.strictObject({ playlist, user })]);
  return z.discriminatedUnion("event", [
    deliveryOf("track.finished", z.strictObject({ track, reason: z.null() })),
    deliveryOf("track.failed", z.strictObject({ track, reason: z.string().nullable() })),
    deliveryOf("track.published", z.strictObject({ track })),
    deliveryOf("comment.created", z.strictObject({ comment, track, user })),
    deliveryOf("like.created", favored),
    deliveryOf("follow.created", z.strictObject({ user })),
    deliveryOf("webhook.test", z.strictObject({ user })),
  ]);
};

export const DeliveryRow = () => withEvent(Delivery());
export type DeliveryRow = ReplyOf<typeof DeliveryRow>;

/** An event's id. Its only delivery, or one of before events had ids, lends it its own. */
export const eventId = sql<number>`coalesce(${webhookDeliveries.eventId}, ${webhookDeliveries.id})`.mapWith(
  Number,
);

const columns = {
  id: webhookDeliveries.id,
  webhook_id: webhookDeliveries.webhookId,
  event_id: eventId,
  occurred_at: createdAt(eventId),
  event: webhookDeliveries.event,
  data: webhookDeliveries.data,
  state: webhookDeliveries.state,
  attempts: webhookDeliveries.attempts,
  next_attempt_at: moment<string | null>(webhookDeliveries.nextAttemptAt),
};

/** Finds a webhook and its deliveries below `before`, newest first. `undefined` if there is no such webhook. */
export async function listDeliveries(
  db: Database,
  user: SignedIn,
  id: number,
  before: number,
  limit: number,
) {
  const on = db.drizzle;
  const isAsked = and(belongTo(user), eq(webhooks.id, id));
  const [[webhook], deliveries] = await db.readAll([
    selected(on.select(webhookColumns).from(webhooks).where(isAsked)),
    selected(
      on
        .select(columns)
        .from(webhookDeliveries)
        .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
        .where(and(isAsked, lt(webhookDeliveries.id, before)))
        .orderBy(desc(webhookDeliveries.id))
        .limit(limit),
    ),
  ]);
  return webhook && { webhook, deliveries: deliveries.map(asDelivery) };
}

/** Types `data` by its event: triggers alone write both, and the columns do not say that they belong together. */
const asDelivery = (row: Record<keyof typeof columns, unknown>) => row as DeliveryRow;

const Redelivery = () =>
  z.union([
    z.strictObject({
      outcome: z.enum(["unknown", "disabled", "running"]),
    }),
    z.strictObject({
      outcome: z.literal("due"),
      delivery: DeliveryRow(),
      spent: Spent().nullable(),
    }),
    OverBudget(),
  ]);

/** Makes a delivery due again, or creates one of a test event if it is null. Marks it as sent. */
export const redeliver = (
  db: Database,
  caller: Caller,
  webhook: number,
  delivery: number | null,
  budget: BudgetLimit | null,
) => callAs(db, "redeliver_webhook", Redelivery, caller, { id: webhook, delivery, budget });

/**
 * Marks due deliveries as sent and returns their ids, at most `each` per webhook. Skips hosts whose share of `perHost`
 * is used up.
 */
export const dispatchDeliveries = (db: Database, each: number, limit: number, perHost: BudgetLimit | null) =>
  db.call("dispatch_webhook_deliveries", () => z.array(z.number()), { each, limit, budget: perHost });

export const BegunDelivery = () =>
  z.strictObject({
    delivery: DeliveryRow(),
    url: z.string(),
    /** True if the target may take longer than others. */
    slow: z.boolean(),
    /** Encrypted secrets in Base64: the present one, and the previous one while it signs. */
    secrets: z.tuple([z.string(), z.string().nullable()]),
  });
export type BegunDelivery = ReplyOf<typeof BegunDelivery>;

/** Null if it is not due, already begun, no longer wanted, over its host's budget, or if its user has no room for it. */
export const beginDelivery = (db: Database, id: number, attempt: string, perHost: BudgetLimit | null) =>
  db.call("begin_webhook_delivery", () => BegunDelivery().nullable(), { id, attempt, budget: perHost });

export interface AttemptResult extends AttemptRow {
  /** Retry-After of the receiver. */
  retry_after_s?: number | undefined;
  /**
   * Whether the target is slow: true if it took longer than a first attempt may, false if it took much less.
   * `undefined` keeps the present state.
   */
  slow?: boolean | undefined;
}

const SettledDelivery = () =>
  z.strictObject({
    webhook: z.number(),
    state: Delivery().shape.state,
    /** Null if no attempt follows. */
    retry_in_s: z.number().nullable(),
    /** Reason if this result disabled the webhook; null otherwise. */
    disabled: z.enum(["gone", "failing"]).nullable(),
    /** Deliveries that may start because this attempt ended. */
    next: z.array(z.number()),
  });

/** Null if another attempt has taken over. A failure may disable the webhook, and fail all deliveries that wait. */
export const settleDelivery = (db: Database, id: number, attempt: string, result: AttemptResult) =>
  db[result.failure === null ? "call" : "callAtLength"](
    "settle_webhook_delivery",
    () => SettledDelivery().nullable(),
    { id, attempt, result },
  );
