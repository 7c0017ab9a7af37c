import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { type BudgetLimit, budgetJson, type OverBudget, type Spent } from "./budgets.ts";
import { type Caller, callAs } from "./caller.ts";
import type { MiniUserRow } from "./people.ts";

export interface ThingFacts {
  id: number;
  title: string;
  permalink: string;
  owner_permalink: string;
  sharing: "public" | "private";
}

export interface TrackFacts extends ThingFacts {
  state: "finished" | "failed" | "processing";
  duration_ms: number | null;
}

export interface CommentFacts {
  id: number;
  body: string;
  timestamp_ms: number | null;
}

/** What happened, and what it was about as it was then. `user` is who did it. */
export type EventRow =
  | { event: "track.finished"; data: { track: TrackFacts } }
  | { event: "track.failed"; data: { track: TrackFacts; reason: string | null } }
  | { event: "comment.created"; data: { comment: CommentFacts; track: TrackFacts; user: MiniUserRow } }
  | {
      event: "like.created";
      data: ({ track: TrackFacts } | { playlist: ThingFacts }) & { user: MiniUserRow };
    }
  | { event: "follow.created" | "webhook.test"; data: { user: MiniUserRow } };

export interface AttemptRow {
  at: string;
  duration_ms: number;
  /** Null where no response came. */
  response_code: number | null;
  /** Null where it was delivered. */
  failure: string | null;
}

export type DeliveryRow = EventRow & {
  id: number;
  webhook_id: number;
  occurred_at: string;
  state: "pending" | "delivered" | "failed";
  /** The last ones, the oldest first. */
  attempts: AttemptRow[];
  /** Null where there will be none. */
  next_attempt_at: string | null;
};

/** Newest first, below `before`. Not found is the webhook. */
export const listDeliveries = (
  db: Database,
  caller: Caller,
  webhook: number,
  before: number,
  limit: number,
): Promise<{ found: false } | { found: true; deliveries: DeliveryRow[] }> =>
  callAs(db, "list_webhook_deliveries", caller, webhook, before, limit);

export type Redelivery =
  | { outcome: "unknown" | "disabled" | "running" }
  | { outcome: "due"; delivery: DeliveryRow; spent: Spent | null }
  | OverBudget;

/** Makes a delivery due, marked as sent. */
export const replayDelivery = (
  db: Database,
  caller: Caller,
  webhook: number,
  delivery: number,
  budget: BudgetLimit | null,
) => callAs<Redelivery>(db, "replay_webhook_delivery", caller, webhook, delivery, budgetJson(budget));

/** A delivery of nothing that happened, marked as sent. */
export const testWebhook = (db: Database, caller: Caller, webhook: number, budget: BudgetLimit | null) =>
  callAs<Redelivery>(db, "test_webhook", caller, webhook, budgetJson(budget));

/**
 * Ids of due deliveries that are not on their way, `each` of one webhook at most, marked as sent. None to a host whose share of
 * `perHost` is used up.
 */
export const dispatchDeliveries = (db: Database, each: number, limit: number, perHost: BudgetLimit | null) =>
  db.call<number[]>("dispatch_webhook_deliveries", [each, limit, budgetJson(perHost)]);

export interface BegunDelivery {
  delivery: DeliveryRow;
  url: string;
  /** Sealed, in Base64: the present one, and the one before while it still signs. */
  secrets: [string, string | null];
}

/** Null where it is not due, somebody else has begun it, nobody is to be told any more, or its host has had enough for now. */
export const beginDelivery = (db: Database, id: number, attempt: string, perHost: BudgetLimit | null) =>
  db.call<BegunDelivery | null>("begin_webhook_delivery", [id, attempt, budgetJson(perHost)]);

export interface AttemptResult extends AttemptRow {
  /** What the receiver asked for. */
  retry_after_s?: number | undefined;
}

export interface SettledDelivery {
  webhook: number;
  state: DeliveryRow["state"];
  /** Null where there is no next attempt. */
  retry_in_s: number | null;
  /** Why the webhook was switched off by this; null where it was not. */
  disabled: "gone" | "failing" | null;
  /** Whom to tell of that; null where nobody has confirmed an address. */
  owner_email: string | null;
}

/** Null where another attempt took its place. */
export const settleDelivery = (db: Database, id: number, attempt: string, result: AttemptResult) =>
  db.call<SettledDelivery | null>("settle_webhook_delivery", [id, attempt, JSON.stringify(result)]);

/** Old entries of logs, some at a time. */
export const forgetDeliveries = (db: Database, limit: number) =>
  db.execute(sql`select forget_webhook_deliveries(${limit})`);
