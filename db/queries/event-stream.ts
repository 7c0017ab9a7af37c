import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type BudgetLimit, OverBudget, Spent } from "./budgets.ts";
import { callAs, type SignedIn } from "./caller.ts";
import { withEvent } from "./webhook-deliveries.ts";

/** A place in a user's log. Transactions come first, because ids are assigned before the commit. */
export interface Position {
  transaction: string;
  id: number;
}

const StreamEvent = () =>
  withEvent(z.strictObject({ id: z.number(), transaction: z.string(), occurred_at: z.string() }));
export type StreamEvent = ReplyOf<typeof StreamEvent>;

const OpenedStream = () =>
  z.discriminatedUnion("outcome", [
    OverBudget(),
    z.strictObject({ outcome: z.literal("open"), transaction: z.string(), spent: Spent().nullable() }),
  ]);

/** Logs the user's events from now on, or for one more day, and returns the transaction to read from. */
export const openEventStream = (db: Database, caller: SignedIn, budget: BudgetLimit | null) =>
  callAs(db, "open_event_stream", OpenedStream, caller, { budget });

/** Events after a position, oldest first. */
export const readEventStream = (db: Database, caller: SignedIn, after: Position, limit: number) =>
  callAs(db, "read_event_stream", () => z.array(StreamEvent()), caller, {
    transaction: after.transaction,
    after: after.id,
    limit,
  });

/** Deletes up to `limit` events of yesterday, and the logs that nobody reads. */
export const forgetStreamEvents = (db: Database, limit: number) =>
  db.call("forget_stream_events", () => z.number(), { limit });
